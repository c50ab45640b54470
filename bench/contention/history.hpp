#pragma once

#include "workload.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace roost::contention {

using clock = std::chrono::steady_clock;

/// What a client was told.
enum class outcome : std::uint8_t {
  booked,
  refused,
  failed,  ///< surely not booked, and not for want of free nights: a strategy that gave up
  unknown, ///< the connection was lost when the commit may have been on its way
};

/// Where the time of a decision went.
struct phases {
  clock::duration waiting{};    ///< in a queue or for a lock, lost attempts included
  clock::duration deciding{};   ///< the check of the nights and what is written
  clock::duration committing{}; ///< until it is durable and the client knows
};

/// One request in a recorded history. Moments are nanoseconds since the load's start.
struct operation {
  stay wanted;
  std::uint32_t client = 0;
  std::int64_t intended = 0; ///< when it should have been made; in a closed loop when it was
  std::int64_t invoked = 0;
  std::int64_t returned = 0; ///< of an unknown one: when the client gave up
  outcome result = outcome::unknown;
  phases time;
};

using history = std::vector<operation>;

} // namespace roost::contention
