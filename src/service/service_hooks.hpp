#pragma once

#include "actors/runtime/clock.hpp"

namespace roost {

/// What a test sets in place of the real thing.
struct service_hooks {
  actors::wall_clock now = actors::system_now;
};

} // namespace roost
