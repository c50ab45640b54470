#pragma once

#include "actors/inventory/directory.hpp"
#include "store/bookings/requests.hpp"

#include <optional>
#include <vector>

namespace roost::actors {

/// The request's platform; none where the configuration no longer names it.
std::optional<std::size_t> platform_of(const platform_list& platforms,
                                       const domain::booking_request& request);

/// What the request can mean, the unit that it does mean first.
directory::candidates units_of(const directory& in, const platform_list& platforms,
                               const domain::booking_request& request);

/// Fills in, for each request whose ID is no unit's, whose it was until lately. A landlord who has unlinked a
/// unit that a platform still sells hears of the refusal so.
void find_former_landlords(store::session& db, const directory& in, const platform_list& platforms,
                           std::vector<store::pending_request>& requests);

} // namespace roost::actors
