#pragma once

#include "domain/listing.hpp"

#include <bitset>

namespace roost::domain {

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
data_gaps gaps_of(publication state, const unit& terms, const address& at, platform_kind on);

} // namespace roost::domain
