#pragma once

#include <chrono>
#include <ctime>

namespace roost::store {

/// A monotonic clock that continues while the machine is suspended (CLOCK_BOOTTIME).
/// std::chrono::steady_clock stops then, so a lease that expired during a suspension would still look valid
/// when the machine resumes.
struct boot_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<boot_clock>;
  static constexpr bool is_steady = true;

  static time_point now() noexcept {
    timespec time{};
    ::clock_gettime(CLOCK_BOOTTIME, &time);
    return time_point{std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec}};
  }
};

} // namespace roost::store
