#pragma once

#include "domain/ai_usage.hpp"

#include <string>
#include <vector>

namespace roost::http {

/// The days as a table for other programs (RFC 4180), with a line of names. Costs are exact. A text that a
/// spreadsheet would take for a formula has an apostrophe before it.
std::string usage_csv(const std::vector<domain::ai_usage_day>& days);

} // namespace roost::http
