#pragma once

#include <chrono>
#include <cstdint>

/// The clocks and random numbers of the simulation program: all code in it, libraries included, reads these.
namespace roost::testing::virtual_clock {

/// Stops the real clocks: from now on time passes only by advance_to(). `seed` determines all random bytes.
void start(std::uint64_t seed);

/// Returns the time since an unspecified moment on the real clock, for measuring the simulation itself.
std::chrono::nanoseconds real_time();

/// Advances the monotonic clocks, and the calendar clock with them; never backwards.
void advance_to(std::chrono::steady_clock::time_point time);

/// Sets the calendar clock ahead of, or behind, the time that has passed.
void shift_calendar(std::chrono::nanoseconds by);

} // namespace roost::testing::virtual_clock
