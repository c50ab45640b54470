#include "domain/unit.hpp"

#include <algorithm>

namespace roost::domain {

money headline_rent(const unit& of) {
  if (of.rent.fixed) return of.rent.amount;
  money highest;
  for (const auto& month : of.rent.per_month) highest = std::max(highest, month.rent);
  return highest;
}

bool has_usable_rent(const unit& of) {
  if (of.rent.fixed) return of.rent.amount > money{0};
  return !of.rent.per_month.empty() && std::ranges::all_of(of.rent.per_month, [](const month_rent& month) {
    return month.rent > money{0};
  });
}

money deposit_for_one(const unit& of) {
  if (of.deposit.mode == deposit_mode::fixed) return {of.deposit.value};
  return hundredths(headline_rent(of), of.deposit.value);
}

money admin_fee_for(const unit& of, date check_in, date check_out) {
  const auto& fee = of.admin_fee;
  if (!fee.enabled) return {};
  if (fee.mode == fee_mode::fixed) return fee.value;
  const auto stay_days = (check_out - check_in).count();
  money value;
  for (const auto& tier : fee.tiers) // ascending: the last one that applies wins
    if (tier.from_days <= stay_days) value = tier.value;
  return value;
}

money headline_admin_fee(const unit& of) {
  const auto& fee = of.admin_fee;
  if (!fee.enabled) return {};
  if (fee.mode == fee_mode::fixed) return round_up(fee.value);
  money highest;
  for (const auto& tier : fee.tiers) highest = std::max(highest, tier.value);
  return round_up(highest);
}

const booking_window* open_window(const unit& of, date today) {
  const booking_window* first = nullptr;
  for (const auto& window : of.booking_windows)
    if (window.max_start >= today && (!first || window.min_start < first->min_start)) first = &window;
  return first;
}

stay_limits limits_in(const booking_window& window) {
  const int longest = full_months_between(window.min_start, window.max_end);
  const bool has_remainder = add_months(window.min_start, longest) < window.max_end;
  return {full_months_between(window.max_start, window.min_end), longest + (has_remainder ? 1 : 0)};
}

stay_limits limits_by_window(const unit& of, date today) {
  if (const auto* window = open_window(of, today)) return limits_in(*window);
  return {of.min_stay_months, of.max_stay_months};
}

} // namespace roost::domain
