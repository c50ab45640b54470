#pragma once

#include "actors/runtime/clock.hpp"

#include <functional>

namespace roost {

/// What a test sets in place of the real thing.
struct service_hooks {
  actors::wall_clock now = actors::system_now;
  /// Another server has the lease now, or the store is another one: the caller must end this server. Any
  /// thread.
  std::function<void()> lease_lost = [] {};
};

} // namespace roost
