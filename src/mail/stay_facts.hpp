#pragma once

#include "domain/booking.hpp"

#include <string_view>

namespace roost::mail {

/// What a landlord is told about a stay that a platform asked for.
struct stay_facts {
  std::string_view unit_name; ///< empty: the request names no unit that is linked
  std::string_view city;      ///< the property's; may be empty
  const domain::booking_request& request;
};

} // namespace roost::mail
