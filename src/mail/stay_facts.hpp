#pragma once

#include "domain/booking.hpp"

#include <optional>
#include <string_view>

namespace roost::mail {

/// A stay that a platform requested, as described to the landlord.
struct stay_facts {
  std::string_view unit_name;          ///< empty if the request names no linked unit
  std::string_view city;               ///< the property's; may be empty
  std::optional<domain::uuid> unit_id; ///< nullopt like the name
  const domain::booking_request& request;
};

} // namespace roost::mail
