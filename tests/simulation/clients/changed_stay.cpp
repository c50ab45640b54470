#include "simulation/clients/changed_stay.hpp"

#include <algorithm>

namespace roost::testing {

std::string to_string(const stay_dates& dates) {
  return domain::to_string(dates.check_in) + " to " + domain::to_string(dates.check_out);
}

bool changed_stay::may_have(const stay_dates& dates) const {
  const auto has_later = [this](const request_times& times) {
    return std::ranges::any_of(
        changes, [&](const auto& each) { return each.is_applied() && times.precede(each.times); });
  };
  const auto may_be_last = [&](const requested_change& change) {
    return !change.is_rejected && change.decision != "refused" && change.is_valid() &&
           !has_later(change.times);
  };
  const bool has_applied = std::ranges::any_of(changes, &requested_change::is_applied);
  if (dates == booked() && !has_applied) return true;
  return std::ranges::any_of(changes,
                             [&](const auto& each) { return each.dates == dates && may_be_last(each); });
}

} // namespace roost::testing
