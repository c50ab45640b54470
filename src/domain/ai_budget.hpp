#pragma once

#include "domain/money.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace roost::domain {

/// A landlord's budget for AI calls. It limits nothing: users are warned when the costs reach its thresholds.
struct ai_budget {
  money monthly; ///< for each calendar month in UTC, in the currency of the ledger
  /// The thresholds in hundredths of the monthly budget, ascending.
  std::vector<int> warn_at{50, 80, 100};

  friend bool operator==(const ai_budget&, const ai_budget&) = default;
};

/// The maximum number of thresholds.
inline constexpr std::size_t max_ai_thresholds = 10;
/// The highest threshold: ten times the budget.
inline constexpr int max_ai_threshold = 1'000;

/// Returns the thresholds that a month's costs have reached, ascending.
inline std::vector<int> reached_thresholds(const ai_budget& budget, const decimal& cost) {
  // A threshold is a whole number of ten-thousandths, so what is cut off never decides.
  constexpr int decimals = 4;
  const auto spent = truncated(cost, decimals);
  std::vector<int> reached;
  std::ranges::copy_if(budget.warn_at, std::back_inserter(reached),
                       [&](int threshold) { return spent >= budget.monthly.cents * threshold; });
  return reached;
}

} // namespace roost::domain
