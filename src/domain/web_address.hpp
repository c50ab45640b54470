#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

} // namespace roost::domain
