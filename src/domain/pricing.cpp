#include "domain/pricing.hpp"

#include <algorithm>

namespace roost::domain {

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

money rent_in_month_of(const unit& of, date day) {
  if (of.rent.fixed) return of.rent.amount;
  const auto priced = std::ranges::find(of.rent.per_month, month_of(day), &month_rent::month);
  return priced != of.rent.per_month.end() ? priced->rent : headline_rent(of);
}

money extra_price_per_tenant(const unit& of) { return of.capacity > 1 ? of.extra_price_per_tenant : money{}; }

std::optional<money> provider_payment_of(const unit& of, platform_kind kind, const platform_card* card,
                                         date check_in, int occupants, std::optional<money> sent) {
  const auto& traits = traits_of(kind);
  if (!traits.derives_payment) return sent;
  const auto rent = with_markup(rent_in_month_of(of, check_in), card);
  const bool rent_only =
      traits.adds_extra_occupants && (sent == rent || sent == with_markup(headline_rent(of), card));
  if (sent && !rent_only) return sent;
  const auto whole = sent.value_or(rent) + times(extra_price_per_tenant(of), occupants - 1);
  return std::min(whole, amount_limit - money{1});
}

} // namespace roost::domain
