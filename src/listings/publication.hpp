#pragma once

#include "domain/platform.hpp"
#include "domain/unit.hpp"

#include <bitset>
#include <string_view>

namespace roost::listings {

/// Returns whether a unit counts as not linked on all platforms: it is excluded from the feed, or it or its
/// property is archived (Partner API, Which units a partial feed contains, rules 2 and 3).
bool is_withheld(const domain::unit& terms, const domain::property_terms& property, bool excluded);

/// Whether a platform shows a unit, or why not (Partner API, Which units a partial feed contains, rules 2-4).
enum class publication {
  published,
  withheld, ///< see is_withheld()
  no_usable_rent,
  unsupported_region, ///< marketplace D: a city that it does not accept
};

publication publication_of(const domain::unit& terms, const domain::property_terms& property,
                           const domain::platform& on, bool excluded);

/// Returns whether the platform accepts the property's city: marketplace D has a list, all others accept any.
bool accepts_region(const domain::platform& on, const domain::property_terms& property);

/// Returns whether two names of places are equal, ignoring case and accents.
bool same_place(std::string_view a, std::string_view b);

/// Data that a landlord has not supplied: a full feed omits the unit, or a field of its listing is empty.
enum class data_gap {
  rent,        ///< no usable rent: the unit is omitted
  region,      ///< marketplace D does not accept the city, or there is none: the unit is omitted
  address,     ///< street, number, postal code, city or country is missing
  coordinates, ///< latitude or longitude is missing
  month_price, ///< marketplace B: a month of a rent that varies has no price
};

/// A set of data gaps, indexed by data_gap.
using data_gaps = std::bitset<5>;

/// Returns a unit's gaps on a platform with full feeds. A unit that the landlord withheld has none.
data_gaps gaps_of(publication state, const domain::unit& terms, const domain::address& at,
                  domain::platform_kind on);

} // namespace roost::listings
