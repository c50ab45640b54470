#pragma once

#include "domain/platform.hpp"
#include "domain/unit.hpp"

#include <bitset>
#include <string_view>

namespace roost::listings {

/// Whether a unit counts as not linked, to whatever platform: it is excluded from the feed, or it or its
/// property is archived (Partner API, Which units a partial feed contains, rules 2 and 3).
bool is_withheld(const domain::unit& terms, const domain::property_terms& property, bool excluded);

/// Whether a unit may be shown on a platform (Partner API, Which units a partial feed contains, rules 2 to
/// 4).
enum class publication {
  published,
  withheld, ///< see is_withheld()
  no_usable_rent,
  unsupported_region, ///< marketplace D: a city that it does not accept
};

publication publication_of(const domain::unit& terms, const domain::property_terms& property,
                           const domain::platform& on, bool excluded);

/// Whether two names of a place are the same without regard to case and accents.
bool same_place(std::string_view a, std::string_view b);

/// What a landlord has left out: it keeps a unit out of a full feed, or leaves a field of its listing empty.
enum class data_gap {
  rent,        ///< no usable rent: left out
  region,      ///< marketplace D does not accept the city, or there is none: left out
  address,     ///< street, number, postal code, city or country is missing
  coordinates, ///< latitude or longitude is missing
  month_price, ///< marketplace B: a month of a rent that varies has no price
};

/// By data_gap.
using data_gaps = std::bitset<5>;

/// The gaps of a unit on a platform with full feeds, where it is published as `state` says. A unit that is
/// withheld has none: that is somebody's wish.
data_gaps gaps_of(publication state, const domain::unit& terms, const domain::address& at,
                  domain::platform_kind on);

} // namespace roost::listings
