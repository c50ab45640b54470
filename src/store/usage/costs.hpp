#pragma once

#include "domain/ai_usage.hpp"
#include "domain/money.hpp"

#include <string_view>

/// The costs and prices of AI calls, as they are stored.
namespace roost::store {

/// Parses a cost or a sum of costs, as stored: SQLite has no exact decimals and stores a cost as four
/// integers, the multiples of 10^9, 1, 10^-9 and 10^-18, which are selected as one text with spaces in
/// between. Throws failure for invalid text.
domain::decimal parse_cost(std::string_view text);

/// Reads the rates of a pricing snapshot, which is stored as it was sent: a rate that it lacks is unknown.
domain::ai_price price_of(std::string_view pricing_snapshot);

} // namespace roost::store
