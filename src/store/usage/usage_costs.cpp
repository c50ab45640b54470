#include "store/usage/usage_costs.hpp"

#include "store/database/connection.hpp"
#include "store/usage/usage_times.hpp"

#include <algorithm>

namespace roost::store {

/// The parts are multiples of 10^9, 1, 10^-9 and 10^-18.
domain::decimal cost_in(std::string_view text) {
  domain::decimal cost;
  for (long exponent = 9; !text.empty(); exponent -= 9) {
    const auto end = text.find(' ');
    domain::decimal part;
    if (!read_cell(text.substr(0, end), part)) throw failure("a cost does not hold what it should");
    if (end == std::string_view::npos && exponent == 9) return part;
    cost += shifted(std::move(part), exponent);
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return cost;
}

} // namespace roost::store
