#pragma once

#include "actors/runtime/storage.hpp"

#include <caf/typed_actor.hpp>

#include <chrono>
#include <functional>
#include <vector>

namespace roost::actors {

struct look_at_lanes {};

struct lane_watch_settings {
  std::vector<storage_pool::watched_lane> lanes;
  /// Whether lanes without jobs may connect: not before the store has been made.
  std::function<bool()> may_connect;
  std::chrono::milliseconds interval{1'000};
  std::chrono::milliseconds idle{10'000}; ///< a lane that heard nothing of the store for so long is asked
};

/// Probes the lanes whose last job found no store, and those that had none for long, so that readiness tells
/// of every lane while nobody asks for anything.
using lane_watch = caf::typed_actor<caf::reacts_to<look_at_lanes>>;

lane_watch spawn_lane_watch(runtime& rt, lane_watch_settings settings);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::look_at_lanes)
