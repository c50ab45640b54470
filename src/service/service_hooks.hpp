#pragma once

#include "actors/runtime/clock.hpp"

namespace roost {

/// What is not for a configuration: a test's clock, and how this one start is meant.
struct service_hooks {
  actors::wall_clock now = actors::system_now;
  bool on_hold = false; ///< decides no booking request and sends no mail, for a look at a copied store
};

} // namespace roost
