#pragma once

#include <string>
#include <string_view>

namespace roost::http {

bool is_utf8(std::string_view text);

/// The text with every byte that is not part of well-formed UTF-8 replaced by U+FFFD.
std::string to_utf8(std::string_view text);

} // namespace roost::http
