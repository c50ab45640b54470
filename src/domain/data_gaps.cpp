#include "domain/data_gaps.hpp"

#include "domain/platform_traits.hpp"

namespace roost::domain {

namespace {

constexpr std::size_t months = 12;

bool is_whole(const address& at) {
  return !at.street.empty() && !at.number.empty() && !at.postal_code.empty() && !at.city.empty() &&
         !at.country_code.empty();
}

} // namespace

data_gaps gaps_of(publication state, const unit& terms, const address& at, platform_kind kind) {
  data_gaps gaps;
  const auto note = [&gaps](data_gap gap, bool there) { gaps.set(static_cast<std::size_t>(gap), there); };
  note(data_gap::rent, state == publication::no_usable_rent);
  note(data_gap::region, state == publication::unsupported_region);
  if (state != publication::published) return gaps;
  note(data_gap::address, !is_whole(at));
  note(data_gap::coordinates, !at.latitude || !at.longitude);
  note(data_gap::month_price, traits_of(kind).wants_price_of_every_month && !terms.rent.fixed &&
                                  terms.rent.per_month.size() < months);
  return gaps;
}

} // namespace roost::domain
