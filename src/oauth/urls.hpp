#pragma once

#include "oauth/web_address.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The URLs of OAuth: resources and redirect URIs.
namespace roost::oauth {

/// Returns the URL of a resource (RFC 8707, 2) in the form that tokens contain: scheme and host in lower
/// case, without the scheme's default port, and without the slash of an otherwise empty path. Returns nullopt
/// if parse_web_address() rejects it.
std::optional<std::string> normalized_resource(std::string_view text);

/// Returns the resource of a new key in the form that tokens contain: `configured`, the tool server's, if
/// `requested` is empty or the same resource. Returns nullopt for what no tokens would be issued for: no
/// resource, or one that is neither https nor on this machine.
std::optional<std::string> resource_of_key(std::string_view requested, const std::string& configured);

/// Decides which redirect URIs an assistant may use (Management API, Redirect URI policy): configured
/// callbacks, addresses below configured prefixes, and the user's own machine. URLs are compared by their
/// parts, never as text.
class redirect_policy {
public:
  /// Ignores callbacks and prefixes that are not valid https URLs.
  redirect_policy(const std::vector<std::string>& callbacks, const std::vector<std::string>& prefixes);

  bool allows(std::string_view uri) const;

private:
  std::vector<web_address> callbacks_, prefixes_;
};

/// Returns whether an address is http on `localhost` or `127.0.0.1` (RFC 8252, 7.3).
bool is_loopback(const web_address& address);

/// Returns whether requests to an address are protected from the network: it is https, or http on
/// `localhost`, 127.0.0.0/8 or [::1].
bool is_https_or_on_this_machine(const web_address& address);

/// Returns whether `requested` is the registered URI, byte for byte, except for the port on the user's own
/// machine, which programs choose anew each time (RFC 8252, 7.3).
bool is_registered_redirect(std::string_view registered, std::string_view requested);

} // namespace roost::oauth
