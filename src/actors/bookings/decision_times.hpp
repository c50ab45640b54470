#pragma once

#include <chrono>

namespace roost::actors {

/// How long a booking request waited to be decided, and when its decision was begun and made.
struct decision_times {
  std::chrono::milliseconds waited{};
  std::chrono::steady_clock::time_point begun{}, made{};
};

} // namespace roost::actors
