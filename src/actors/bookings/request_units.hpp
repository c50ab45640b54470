#pragma once

#include "actors/inventory/directory.hpp"
#include "store/bookings/requests.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace roost::actors {

/// The request's platform; none where the configuration no longer names it.
std::optional<std::size_t> platform_of(const platform_list& platforms,
                                       const domain::booking_request& request);

/// Shared by those who decide it and those who tell of the decision.
using request_pointer = std::shared_ptr<const store::pending_request>;

/// A request, and what it can mean in a directory, the unit that it does mean first.
struct meant_request {
  request_pointer pending;
  directory::candidates units;
};

/// What each of the requests means, in their order. Where that is no unit, the store tells whose the ID was
/// until lately: a landlord who has unlinked a unit that a platform still sells hears of the refusal so.
std::vector<meant_request> meanings_of(store::session& db, const directory& in,
                                       const platform_list& platforms,
                                       std::vector<store::pending_request> requests);

} // namespace roost::actors
