#pragma once

#include "actors/runtime/storage.hpp"

#include <chrono>
#include <functional>
#include <vector>

namespace roost::actors {

struct check_lanes {};

struct lane_watch_settings {
  std::vector<storage_pool::watched_lane> lanes;
  /// Whether lanes without jobs may connect: not before the store has been created.
  std::function<bool()> may_connect;
  std::chrono::milliseconds interval{1'000};
  std::chrono::milliseconds idle{10'000}; ///< a lane without a response for this long is probed
};

/// Probes lanes whose last job did not reach the store, and lanes that have been idle, so that readiness
/// covers all lanes even without requests.
using lane_watch = caf::typed_actor<caf::reacts_to<check_lanes>>;

lane_watch spawn_lane_watch(runtime& rt, lane_watch_settings settings);

} // namespace roost::actors
