#pragma once

#include "actors/runtime/clock.hpp"

namespace roost {

/// What is not for a configuration: a test's clock, and how this one start is meant.
struct service_hooks {
  actors::wall_clock now = actors::system_now;
  /// Decides no booking request, sends no mail and deletes nothing for its age: for a look at a copied store.
  bool on_hold = false;
};

} // namespace roost
