#include "listings/publication.hpp"

#include "domain/stay_decision.hpp"
#include "domain/text.hpp"

#include <algorithm>

namespace roost::listings {

using domain::address, domain::has_usable_rent, domain::lower_case, domain::platform, domain::platform_kind,
    domain::property, domain::property_terms, domain::traits_of, domain::unit;

bool same_place(std::string_view a, std::string_view b) {
  return domain::folded_without_accents(a) == domain::folded_without_accents(b);
}

bool is_withheld(const unit& terms, const property_terms& property, bool excluded) {
  return domain::is_withheld(terms, property, excluded);
}

bool accepts_region(const platform& on, const property_terms& property) {
  return !traits_of(on).accepts_some_regions || std::ranges::any_of(on.regions, [&](const auto& region) {
    return same_place(region, property.city);
  });
}

publication publication_of(const unit& terms, const property_terms& property, const platform& platform,
                           bool excluded) {
  if (domain::is_withheld(terms, property, excluded)) return publication::withheld;
  if (!has_usable_rent(terms)) return publication::no_usable_rent;
  if (!accepts_region(platform, property)) return publication::unsupported_region;
  return publication::published;
}

namespace {

constexpr std::size_t months = 12;

bool is_complete(const address& at) {
  return !at.street.empty() && !at.number.empty() && !at.postal_code.empty() && !at.city.empty() &&
         !at.country_code.empty();
}

} // namespace

data_gaps gaps_of(publication state, const unit& terms, const address& at, platform_kind kind) {
  data_gaps gaps;
  const auto note = [&gaps](data_gap gap, bool missing) { gaps.set(static_cast<std::size_t>(gap), missing); };
  note(data_gap::rent, state == publication::no_usable_rent);
  note(data_gap::region, state == publication::unsupported_region);
  if (state != publication::published) return gaps;
  note(data_gap::address, !is_complete(at));
  note(data_gap::coordinates, !at.latitude || !at.longitude);
  note(data_gap::month_price, traits_of(kind).wants_price_of_every_month && !terms.rent.fixed &&
                                  terms.rent.per_month.size() < months);
  return gaps;
}

} // namespace roost::listings
