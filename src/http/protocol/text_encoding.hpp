#pragma once

#include <optional>
#include <string>
#include <string_view>

/// UTF-8 and percent-encoding.
namespace roost::http {

bool is_utf8(std::string_view text);

/// Replaces every byte that is not part of well-formed UTF-8 by U+FFFD.
std::string to_utf8(std::string_view text);

/// Removes the percent-encoding (RFC 3986, 2.1); nullopt if an escape is malformed or the result is not
/// UTF-8.
std::optional<std::string> percent_decoded(std::string_view text);

/// Escapes everything except the unreserved characters, which are allowed anywhere in a URL (RFC 3986, 2.3).
std::string percent_encoded(std::string_view text);

} // namespace roost::http
