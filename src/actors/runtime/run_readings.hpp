#pragma once

#include "actors/runtime/run_meter.hpp"

#include <map>
#include <string>

/// What all threads have counted about actors, added up.
namespace roost::actors {

struct durations_read {
  std::array<std::uint64_t, duration_tally::buckets> counts{};
  std::chrono::nanoseconds sum{};
};

struct type_read {
  std::int64_t alive = 0;
  std::uint64_t messages = 0;
  durations_read runs, waits;
  std::uint32_t deepest = 0; ///< mailbox since the last reading
};

/// Threads of one name.
struct thread_read {
  bool is_scheduled = false; ///< a scheduler gives actors turns on it; else it belongs to an actor
  std::chrono::nanoseconds processor_time{}, busy{}; ///< `busy` is the time of measured runs
  std::uint64_t turns = 0, steals = 0, stalls = 0;
};

std::map<std::string, type_read> read_types();
std::map<std::string, thread_read> read_threads();

} // namespace roost::actors
