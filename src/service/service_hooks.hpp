#pragma once

#include "actors/runtime/clock.hpp"

#include <functional>

namespace roost {

/// What a test sets in place of the real thing.
struct service_hooks {
  actors::wall_clock now = actors::system_now;
  /// Another server has the lease now: the caller must end this one. Any thread.
  std::function<void()> lease_lost = [] {};
};

} // namespace roost
