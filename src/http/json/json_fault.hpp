#pragma once

#include <string>
#include <string_view>

namespace roost::http {

/// What is wrong with a text that the quick parser refused, and where: `Invalid value, at line 3, column 7`.
/// The quick parser does not tell the place, so this one reads the text again. Columns count bytes, from 1.
std::string json_fault(std::string_view text);

} // namespace roost::http
