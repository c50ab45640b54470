#pragma once

#include "domain/decimal.hpp"

#include <string_view>

/// How sums of costs are read. SQLite has no exact decimals: there a cost is four whole numbers.
namespace roost::store {

/// One text of a sum, on PostgreSQL.
inline constexpr const char* sum_of_costs = "sum(cost)";
/// The same on SQLite: the sums of the parts, with a space between two.
inline constexpr const char* sum_of_cost_parts =
    "sum(cost_giga) || ' ' || sum(cost_one) || ' ' || sum(cost_nano) || ' ' || sum(cost_atto)";

/// Reads either of them. Throws failure for what is neither.
domain::decimal cost_in(std::string_view text);

} // namespace roost::store
