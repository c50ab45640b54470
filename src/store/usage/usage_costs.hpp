#pragma once

#include "domain/decimal.hpp"
#include "store/database/cell.hpp"
#include "store/database/error.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

/// Reads costs and their sums. SQLite has no exact decimals: it stores a cost as four integers.
namespace roost::store {

/// Selects a sum as one text in PostgreSQL.
inline constexpr const char* sum_of_costs = "sum(cost)";
/// Selects a sum as one text in SQLite: the sums of the parts, separated by spaces.
inline constexpr const char* sum_of_cost_parts =
    "sum(cost_giga) || ' ' || sum(cost_one) || ' ' || sum(cost_nano) || ' ' || sum(cost_atto)";

/// Parses either form. The parts are multiples of 10^9, 1, 10^-9 and 10^-18. Throws failure for invalid text.
inline domain::decimal parse_cost(std::string_view text) {
  domain::decimal cost;
  for (long exponent = 9; !text.empty(); exponent -= 9) {
    const auto end = text.find(' ');
    domain::decimal part;
    if (!read_cell(text.substr(0, end), part)) throw failure("a column holds an invalid cost");
    if (end == std::string_view::npos && exponent == 9) return part;
    cost += shifted(std::move(part), exponent);
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return cost;
}

} // namespace roost::store
