#pragma once

#include "actors/bookings/booking_decider.hpp"
#include "service_world.hpp"
#include "strategy.hpp"

#include <caf/typed_actor.hpp>

#include <optional>

namespace roost::contention {

/// Asks for a decision.
struct decide_stay {
  stay wanted;
  std::optional<domain::booking_request> request; ///< of the whole depth
};

/// The decision is durable, or `made` says that it failed.
struct stay_decided {
  decision made;
  clock::time_point begun{}, decided{}; ///< when the decider took it up, and knew
};

/// What has been decided is written, unless a group is being written.
struct write_group {};

/// The store is asked what became of a group whose end nobody knows.
struct look_up_written {};

/// Decides as the service does: one request at a time with the calendars and accounts, in groups that are
/// written while the next one is decided. A client is told, of a refusal as well, when its group is durable;
/// where the writing failed, what rested on it is decided again. Unlike the service's booking queue it is
/// asked request by request, so that each one's time can be taken.
using group_decider = caf::typed_actor<caf::replies_to<decide_stay>::with<stay_decided>,
                                       caf::reacts_to<write_group>, caf::reacts_to<look_up_written>>;

group_decider spawn_group_decider(service_world& world, depth how_much);

} // namespace roost::contention

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::contention::decide_stay)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::contention::stay_decided)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::contention::write_group)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::contention::look_up_written)
