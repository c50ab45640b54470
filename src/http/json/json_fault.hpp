#pragma once

#include "http/protocol/error.hpp"

#include <string>
#include <string_view>

namespace roost::http {

/// What is wrong with a text that the quick parser refused, and where: `Invalid value, at line 3, column 7`.
/// The quick parser does not tell the place, so this one reads the text again. Columns count bytes, from 1.
std::string json_fault(std::string_view text);

/// 400 for a body that is no JSON; `fault` says why and where.
error malformed_json(const std::string& fault);

} // namespace roost::http
