#include "domain/unit.hpp"

#include <algorithm>

namespace roost::domain {

const month_rent* find_month(const rent_terms& rent, unsigned month) {
  const auto match = std::ranges::find(rent.per_month, month, &month_rent::month);
  return match != rent.per_month.end() ? &*match : nullptr;
}

void set_times(rent_terms& rent, const rent_terms& before, timestamp now) {
  for (auto& each : rent.per_month) {
    const auto* known = find_month(before, each.month);
    each.created_at = known ? known->created_at : now;
    each.updated_at = known && known->rent == each.rent ? known->updated_at : now;
  }
}

money headline_rent(const unit& unit) {
  if (unit.rent.fixed) return unit.rent.amount;
  money highest;
  for (const auto& month : unit.rent.per_month) highest = std::max(highest, month.rent);
  return highest;
}

bool has_usable_rent(const unit& unit) {
  if (unit.rent.fixed) return unit.rent.amount > money{0};
  return !unit.rent.per_month.empty() &&
         std::ranges::all_of(unit.rent.per_month,
                             [](const month_rent& month) { return month.rent > money{0}; });
}

money deposit_for_one(const unit& unit) {
  if (unit.deposit.mode == deposit_mode::fixed) return {unit.deposit.value};
  return hundredths(headline_rent(unit), unit.deposit.value);
}

const admin_fee_tier* admin_fee_tier_for(const unit& unit, date check_in, date check_out) {
  const auto& fee = unit.admin_fee;
  if (!fee.enabled || fee.mode == fee_mode::fixed) return nullptr;
  const auto stay_days = (check_out - check_in).count();
  const admin_fee_tier* applied = nullptr;
  for (const auto& tier : fee.tiers) // ascending: the last one that applies wins
    if (tier.from_days <= stay_days) applied = &tier;
  return applied;
}

money admin_fee_for(const unit& unit, date check_in, date check_out) {
  if (unit.admin_fee.enabled && unit.admin_fee.mode == fee_mode::fixed) return unit.admin_fee.value;
  const auto* tier = admin_fee_tier_for(unit, check_in, check_out);
  return tier != nullptr ? tier->value : money{};
}

money headline_admin_fee(const unit& unit) {
  const auto& fee = unit.admin_fee;
  if (!fee.enabled) return {};
  if (fee.mode == fee_mode::fixed) return round_up(fee.value);
  money highest;
  for (const auto& tier : fee.tiers) highest = std::max(highest, tier.value);
  return round_up(highest);
}

money with_markup(money rent, const platform_card* card) {
  const auto applied = card ? card->markup : markup{};
  switch (applied.mode) {
  case markup_mode::none:
    break;
  case markup_mode::percentage: {
    // Exact: in cents × hundredths of a percent, rounded up only once.
    const std::int64_t scaled = rent.cents * (10'000 + applied.value);
    constexpr std::int64_t whole = 100 * 10'000;
    return {(scaled / whole + (scaled % whole > 0 ? 1 : 0)) * 100};
  }
  case markup_mode::fixed:
    rent = rent + money{applied.value};
    break;
  }
  return round_up(rent);
}

money rent_in_month_of(const unit& unit, date day) {
  if (unit.rent.fixed) return unit.rent.amount;
  const auto priced = std::ranges::find(unit.rent.per_month, month_of(day), &month_rent::month);
  return priced != unit.rent.per_month.end() ? priced->rent : headline_rent(unit);
}

money extra_price_per_tenant(const unit& unit) {
  return unit.capacity > 1 ? unit.extra_price_per_tenant : money{};
}

std::optional<money> provider_payment_of(const unit& unit, platform_kind kind, const platform_card* card,
                                         date check_in, int occupants, std::optional<money> sent) {
  const auto& traits = traits_of(kind);
  if (!traits.derives_payment) return sent;
  const auto rent = with_markup(rent_in_month_of(unit, check_in), card);
  const bool rent_only =
      traits.adds_extra_occupants && (sent == rent || sent == with_markup(headline_rent(unit), card));
  if (sent && !rent_only) return sent;
  const auto whole = sent.value_or(rent) + times(extra_price_per_tenant(unit), occupants - 1);
  return std::min(whole, amount_limit - money{1});
}

const booking_window* open_window(const unit& unit, date today) {
  const booking_window* first = nullptr;
  for (const auto& window : unit.booking_windows)
    if (window.max_start >= today && (!first || window.min_start < first->min_start)) first = &window;
  return first;
}

stay_limits limits_in(const booking_window& window) {
  const int longest = full_months_between(window.min_start, window.max_end);
  const bool has_remainder = add_months(window.min_start, longest) < window.max_end;
  return {full_months_between(window.max_start, window.min_end), longest + (has_remainder ? 1 : 0)};
}

stay_limits limits_by_window(const unit& unit, date today) {
  if (const auto* window = open_window(unit, today)) return limits_in(*window);
  return {unit.min_stay_months, unit.max_stay_months};
}

} // namespace roost::domain
