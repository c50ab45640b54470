#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// A web address in its parts (RFC 3986, 3), to be compared with others.
struct web_address {
  std::string scheme;     ///< http or https
  std::string host;       ///< in lower case; an IPv6 address with its brackets
  std::uint16_t port = 0; ///< the scheme's where the text has none
  std::string path;       ///< as written; may be empty
  std::string query;      ///< with its question mark; empty without one

  bool operator==(const web_address&) const = default;

  /// `https://host`, with the port where it is not the scheme's.
  std::string origin() const;
};

/// Reads an absolute http or https URL and nothing that two readers could take for different places: user
/// names, fragments, characters that should be escaped, and segments that are or decode to dots are refused.
std::optional<web_address> parse_web_address(std::string_view text);

/// The URL that names a resource (RFC 8707, 2), as tokens tell it: scheme and host in lower case, without the
/// scheme's own port, and without the slash of an otherwise empty path. Nothing for what is no such URL.
std::optional<std::string> normalised_resource(std::string_view text);

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
