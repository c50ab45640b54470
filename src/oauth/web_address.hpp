#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::oauth {

/// A web address split into parts (RFC 3986, 3), for exact comparison: assistants receive codes and tokens at
/// such addresses. For URLs of pages, see page_url.
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
/// fragments, ports above 65,535, characters that must be escaped, and ambiguous path segments are rejected.
std::optional<web_address> parse_web_address(std::string_view text);

} // namespace roost::oauth
