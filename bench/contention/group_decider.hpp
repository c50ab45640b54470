#pragma once

#include "actors/bookings/booking_decider.hpp"
#include "lab_service.hpp"
#include "strategy.hpp"

#include <caf/typed_actor.hpp>

#include <optional>

namespace roost::contention {

struct decide_stay {
  stay_request stay;
  std::optional<domain::booking_request> booking; ///< only at the whole depth
};

/// The response to decide_stay, sent when the decision is durable or has failed.
struct stay_decided {
  decision result;
  clock::time_point started{}, decided{}; ///< when the decider started and finished
};

/// Writes the current group of decisions, unless a group is being written.
struct write_group {};

/// Asks the store whether a group in doubt was written.
struct look_up_written {};

/// Decides like the service: one request at a time with the calendars and accounts, in groups that are
/// written while the next one is decided. Clients get their response, including refusals, when their group is
/// durable; if writing fails, decisions based on that group are made again. Unlike the service's booking
/// queue, it receives each request separately, so that its times can be measured.
using group_decider = caf::typed_actor<caf::replies_to<decide_stay>::with<stay_decided>,
                                       caf::reacts_to<write_group>, caf::reacts_to<look_up_written>>;

group_decider spawn_group_decider(lab_service& service, depth level);

} // namespace roost::contention

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::contention::decide_stay)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::contention::stay_decided)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::contention::write_group)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::contention::look_up_written)
