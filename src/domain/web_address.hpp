#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// A web address split into parts (RFC 3986, 3), for comparison.
struct web_address {
  std::string scheme;     ///< http or https
  std::string host;       ///< in lower case; an IPv6 address in brackets
  std::uint16_t port = 0; ///< the scheme's default if the text has none
  std::string path;       ///< as written; may be empty
  std::string query;      ///< with its question mark; empty if there is none

  bool operator==(const web_address&) const = default;

  /// Returns `https://host`, with the port if it is not the scheme's default.
  std::string origin() const;
};

/// Parses an absolute http or https URL; nullopt if two programs could interpret it differently: user names,
/// fragments, characters that must be escaped, and ambiguous path segments are rejected.
std::optional<web_address> parse_web_address(std::string_view text);

/// Returns the URL of a resource (RFC 8707, 2) in the form that tokens contain: scheme and host in lower
/// case, without the scheme's default port, and without the slash of an otherwise empty path. Returns nullopt
/// if parse_web_address() rejects it.
std::optional<std::string> normalised_resource(std::string_view text);

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

/// Returns whether `requested` is the registered URI, byte for byte, except for the port on the user's own
/// machine, which programs choose anew each time (RFC 8252, 7.3).
bool is_registered_redirect(std::string_view registered, std::string_view requested);

} // namespace roost::domain
