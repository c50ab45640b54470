#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// The text without its percent-encoding (RFC 3986, 2.1); none when an escape is broken or what comes of it
/// is not UTF-8.
std::optional<std::string> percent_decoded(std::string_view text);

/// The text with everything escaped but what may stand anywhere in a URL (RFC 3986, 2.3).
std::string percent_encoded(std::string_view text);

} // namespace roost::http
