#pragma once

#include "actors/bookings/booking_decider.hpp"
#include "actors/mailing/mailer.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/storage.hpp"

#include <caf/typed_actor.hpp>

namespace roost::actors {

/// The cycle is over, or somebody asks for a run at once.
struct run_queue {};

/// A run goes on after a pause.
struct resume_queue {
  std::uint64_t run = 0;
};

/// Asks for a run now, and for word when it has decided what it could.
struct run_to_end {};
struct run_ended {};

struct count_queue {};

/// Finish what is being written and decide nothing more.
struct stop_queue {};

/// Decides the queued booking requests, each cycle all that are New, one at a time in their order of arrival,
/// and writes the decisions in groups. While one group is being written the next one is decided. What a group
/// holds at the calendars becomes a block only after its commit; if that fails the nights are given back and
/// the requests are still New.
using booking_queue =
    caf::typed_actor<caf::reacts_to<run_queue>, caf::replies_to<run_to_end>::with<run_ended>,
                     caf::reacts_to<resume_queue>, caf::reacts_to<count_queue>, caf::reacts_to<stop_queue>>;

struct booking_queue_setup {
  decider_setup decisions;
  std::chrono::milliseconds cycle{30'000};
  storage_actor writing; ///< the lane for decisions
  storage_actor reading; ///< the lane for what is to be decided
  std::shared_ptr<const held_lease> lease;
  const published<actors::directory>* directory = nullptr;
  actors::mailer mailer;
  metrics::registry* registry = nullptr;
};

booking_queue spawn_booking_queue(runtime& rt, booking_queue_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::run_queue)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::run_to_end)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::run_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::resume_queue)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::count_queue)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::stop_queue)
