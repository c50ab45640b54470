#pragma once

#include "actors/bookings/booking_decider.hpp"
#include "actors/bookings/queue_callers.hpp"
#include "actors/bookings/stay_change_decider.hpp"
#include "actors/inventory/change_follower.hpp"
#include "actors/mailing/mailer.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "metrics/registry.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

namespace roost::actors {

/// Starts a run: after a cycle, or on request.
struct run_queue {};

/// Continues a run after a pause.
struct resume_queue {
  std::uint64_t run = 0;
};

/// Looks up again the outcome of a group whose commit is in doubt.
struct look_up_group {};

/// Starts a run now; the response comes when the run has ended.
struct run_to_end {};

/// Stops the queue after the group that is being written.
struct stop_queue {};

/// Decides the queued booking requests: in each cycle all that are New, one at a time in order of arrival,
/// and writes the decisions in groups. While one group is being written, the next one is decided. Nights held
/// in the calendars become blocks after the group's commit; if it fails, they are released and the requests
/// stay New. Platforms' changes of stays have a place among the requests: each is decided after those that
/// arrived before it are written, and before later ones are decided.
using booking_queue =
    caf::typed_actor<caf::reacts_to<run_queue>, caf::replies_to<run_to_end>::with<run_ended>,
                     caf::reacts_to<resume_queue>, caf::reacts_to<look_up_group>, caf::reacts_to<stop_queue>>;

/// The time of the queue's last progress: a run started, a group written or checked, or a run ended.
/// Monitored from outside because a stuck queue cannot report itself. Thread-safe.
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
  bool on_hold = false;              ///< never starts a cycle
  storage_actor writing;             ///< the lane for decisions
  storage_actor reading;             ///< the lane for reading requests
  std::shared_ptr<held_lease> lease; ///< invalidated if the store has another history
  const published<actors::directory>* directory = nullptr;
  std::shared_ptr<const replication_position> followed =
      std::make_shared<replication_position>(); ///< the follower's
  actors::mailer mailer;
  stay_change_setup changes;
  change_follower
      follower; ///< receives commits, and reloads accounts whose bookings are incomplete in memory
  std::shared_ptr<actors::heartbeat> heartbeat = std::make_shared<actors::heartbeat>();
  time_check is_time_trusted = actors::is_time_trusted; ///< else no stays advance and no guests are erased
  metrics::registry* registry = nullptr;
  /// How long to keep guests' data after their last stay; nullopt: forever.
  std::optional<std::chrono::milliseconds> keep_guests = std::nullopt;
};

booking_queue spawn_booking_queue(runtime& rt, booking_queue_setup setup);

} // namespace roost::actors
