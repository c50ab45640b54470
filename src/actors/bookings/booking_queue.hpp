#pragma once

#include "actors/bookings/booking_decider.hpp"
#include "actors/inventory/change_follower.hpp"
#include "actors/mailing/mailer.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "metrics/registry.hpp"

#include <caf/typed_actor.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace roost::actors {

/// The cycle is over, or somebody asks for a run at once.
struct run_queue {};

/// A run goes on after a pause.
struct resume_queue {
  std::uint64_t run = 0;
};

/// The store is asked again what became of the group whose end nobody knows.
struct look_up_group {};

/// Asks for a run now, and for word when it has decided what it could.
struct run_to_end {};
struct run_ended {};

/// Finish what is being written and decide nothing more.
struct stop_queue {};

/// Decides the queued booking requests, each cycle all that are New, one at a time in their order of arrival,
/// and writes the decisions in groups. While one group is being written the next one is decided. What a group
/// holds at the calendars becomes a block only after its commit; if that fails the nights are given back and
/// the requests are still New.
using booking_queue =
    caf::typed_actor<caf::reacts_to<run_queue>, caf::replies_to<run_to_end>::with<run_ended>,
                     caf::reacts_to<resume_queue>, caf::reacts_to<look_up_group>, caf::reacts_to<stop_queue>>;

/// When the queue last got on: began a run, wrote a group or ended a run. Others watch it, for a queue that
/// is stuck cannot say so.
class heartbeat {
public:
  using clock = std::chrono::steady_clock;

  void beat() { last_.store(clock::now()); }
  clock::duration age() const { return clock::now() - last_.load(); }

private:
  std::atomic<clock::time_point> last_{clock::now()};
};

struct booking_queue_setup {
  decider_setup decisions;
  std::chrono::milliseconds cycle{30'000};
  bool on_hold = false;              ///< no cycle ever begins
  storage_actor writing;             ///< the lane for decisions
  storage_actor reading;             ///< the lane for what is to be decided
  std::shared_ptr<held_lease> lease; ///< told when the store turns out to have another history
  const published<actors::directory>* directory = nullptr;
  std::shared_ptr<const replication_position> followed =
      std::make_shared<replication_position>(); ///< the follower's
  actors::mailer mailer;
  change_follower follower; ///< told of commits, and of accounts of which memory does not know all bookings
  std::shared_ptr<heartbeat> pulse = std::make_shared<heartbeat>();
  /// Beyond it stays are not checked in and out, and no guests are erased.
  std::chrono::milliseconds clock_tolerance = actors::clock_tolerance;
  metrics::registry* registry = nullptr;
  /// How long after their last stay guests' data is kept; none: for ever.
  std::optional<std::chrono::milliseconds> keep_guests = std::nullopt;
};

booking_queue spawn_booking_queue(runtime& rt, booking_queue_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::run_queue)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::run_to_end)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::run_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::resume_queue)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::look_up_group)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::stop_queue)

namespace roost::actors {

struct count_requests {};

/// Counts the booking requests by state every two seconds, for the metrics. It is not the booking queue that
/// does, so that a queue which has stopped shows in what waits for it.
using queue_watch = caf::typed_actor<caf::reacts_to<count_requests>>;

queue_watch spawn_queue_watch(runtime& rt, storage_actor reading, std::shared_ptr<const held_lease> lease,
                              metrics::registry& registry);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::count_requests)
