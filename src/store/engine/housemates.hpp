#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

/// Somebody who lives in a property now (Partner API, Housemate item).
struct housemate {
  std::string first_name;
  std::optional<std::string> last_name, nationality;
  domain::date move_in{}, move_out{};
};

/// The tenants of all bookings that are checked in at the unit's property, by their dates. Nothing at all
/// when the unit is not linked to the platform as `linked_as`, is excluded from its feed, or it or its
/// property is archived.
std::optional<std::vector<housemate>> housemates_of(session& on, const domain::uuid& unit,
                                                    std::string_view platform, std::string_view linked_as);

} // namespace roost::store
