#pragma once

#include "http/protocol/error.hpp"

#include <string>
#include <string_view>

namespace roost::http {

/// Describes the error in a text that simdjson rejected, with its position: `Invalid value, at line 3, column
/// 7`. Parses the text again with RapidJSON, because simdjson reports no position. Columns count bytes,
/// from 1.
std::string json_fault(std::string_view text);

/// Returns the 400 for a body that is not JSON; `fault` is its description from json_fault().
error malformed_json(const std::string& fault);

} // namespace roost::http
