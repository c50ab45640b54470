#pragma once

#include "workload.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace roost::contention {

using clock = std::chrono::steady_clock;

/// The result that a client received.
enum class outcome : std::uint8_t {
  booked,
  refused,
  failed,  ///< certainly not booked, but not because the nights were taken: the strategy gave up
  unknown, ///< the connection was lost while a commit may have been in progress
};

/// The time that a decision took, by phase.
struct phases {
  clock::duration waiting{};    ///< in a queue or for a lock, including lost attempts
  clock::duration deciding{};   ///< checking the nights and writing
  clock::duration committing{}; ///< until the result is durable and the client has received it
};

/// One request in a recorded history. Times are nanoseconds since the start of the load.
struct operation {
  stay_request request;
  std::uint32_t client = 0;
  std::int64_t intended = 0; ///< when the request was due; in a closed loop when it was sent
  std::int64_t invoked = 0;
  std::int64_t returned = 0; ///< for an unknown outcome: when the client gave up
  outcome result = outcome::unknown;
  phases time;
};

using history = std::vector<operation>;

} // namespace roost::contention
