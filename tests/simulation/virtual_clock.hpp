#pragma once

#include <chrono>
#include <cstdint>

/// The clocks and random bytes of the simulation program, for all code in it including libraries.
namespace roost::testing::virtual_clock {

/// Replaces the real clocks by simulated ones, which only advance_to() advances. `seed` determines all random
/// bytes.
void start(std::uint64_t seed);

/// Returns the real monotonic time, to measure the simulation itself.
std::chrono::nanoseconds real_time();

/// Advances the monotonic clocks and the calendar clock; a no-op for a time in the past.
void advance_to(std::chrono::steady_clock::time_point time);

/// Moves the calendar clock, forwards or backwards.
void shift_calendar(std::chrono::nanoseconds by);

} // namespace roost::testing::virtual_clock
