#include "domain/ai_budget.hpp"

#include <algorithm>
#include <iterator>

namespace roost::domain {

std::vector<int> reached_thresholds(const ai_budget& budget, const decimal& cost) {
  // A threshold is a whole number of ten-thousandths, so what is cut off never decides.
  constexpr int decimals = 4;
  const auto spent = truncated(cost, decimals);
  std::vector<int> reached;
  std::ranges::copy_if(budget.warn_at, std::back_inserter(reached),
                       [&](int threshold) { return spent >= budget.monthly.cents * threshold; });
  return reached;
}

} // namespace roost::domain
