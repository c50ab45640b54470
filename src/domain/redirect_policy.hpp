#pragma once

#include "domain/web_address.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// Where an assistant's user may be sent back to (Management API, Redirect URI policy): addresses that the
/// configuration names, addresses below those that it names, and the user's own machine. URLs are compared in
/// their parts, never as texts.
class redirect_policy {
public:
  /// What cannot be read allows nothing.
  redirect_policy(const std::vector<std::string>& callbacks, const std::vector<std::string>& prefixes);

  bool allows(std::string_view uri) const;

private:
  std::vector<web_address> callbacks_, prefixes_;
};

/// Whether it is http on `localhost` or `127.0.0.1` (RFC 8252, 7.3).
bool is_loopback(const web_address& address);

/// Whether `asked` is the registered URI: byte for byte, but for the port on the user's own machine, which
/// programs choose anew each time (RFC 8252, 7.3).
bool is_registered_redirect(std::string_view registered, std::string_view asked);

} // namespace roost::domain
