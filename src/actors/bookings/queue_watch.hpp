#pragma once

#include "actors/inventory/directory.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "metrics/registry.hpp"
#include "store/bookings/requests.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::actors {

struct count_requests {};

/// Counts the booking requests every two seconds, for metrics and readiness. Separate from the booking queue,
/// so that the backlog of a stopped queue stays visible.
using queue_watch = caf::typed_actor<caf::reacts_to<count_requests>>;

/// The New requests of a platform that this process may not decide (is_decidable).
struct undecidable_backlog {
  store::platform_backlog waiting;
  bool is_configured = false; ///< the account of a single-landlord platform is missing, not the platform
};
using undecidable_requests = std::vector<undecidable_backlog>; ///< by platform

/// Describes such requests for operators; one line, empty if there are none.
std::string describe(const undecidable_requests& requests);

struct queue_watch_setup {
  storage_actor reading;
  std::shared_ptr<const held_lease> lease; ///< only its holder reports metrics
  platform_list platforms;
  const published<actors::directory>* directory = nullptr;
  wall_clock now;
  metrics::registry* registry = nullptr;
  /// The latest count of undecidable requests, also on a standby; null before the first one.
  std::shared_ptr<published<undecidable_requests>> undecidable =
      std::make_shared<published<undecidable_requests>>();
  bool on_hold = false; ///< reports no metrics, because it decides nothing
};

queue_watch spawn_queue_watch(runtime& rt, queue_watch_setup setup);

} // namespace roost::actors
