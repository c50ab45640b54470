#pragma once

#include "domain/property_request.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace roost::store {

/// Returns the tenants of all checked-in bookings at the unit's property, ordered by date. Returns nullopt if
/// the unit is not linked to the platform as `linked_as`, is excluded from its feed, or is archived, or its
/// property is.
std::optional<std::vector<domain::housemate>>
housemates_of(session& db, const domain::uuid& unit, std::string_view platform, std::string_view linked_as);

} // namespace roost::store
