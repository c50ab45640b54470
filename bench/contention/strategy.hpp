#pragma once

#include "history.hpp"

#include <memory>
#include <string>
#include <vector>

namespace roost::contention {

/// How much is decided.
enum class depth {
  bare,  ///< the nights of a unit, in a table of their own
  whole, ///< a waiting request becomes a booking with tenant, terms, plan and notification, or is refused
};

/// What a strategy came to with one request.
struct decision {
  outcome result = outcome::failed;
  phases time;
  std::uint32_t conflicts = 0; ///< attempts lost to another one: version moved, or could not be serialized
  std::uint32_t deadlocks = 0; ///< attempts that the database ended as a deadlock's victim
  std::uint32_t retries = 0;
  std::uint32_t errors = 0; ///< lost connections and anything unexpected
};

/// One client's way to its decisions; used by one thread.
class client {
public:
  virtual ~client() = default;

  /// Blocks until the client knows, or until the end of its patience.
  virtual decision decide(const stay& wanted, clock::time_point patience) = 0;
};

/// One way to decide who gets the nights. Made when the store has been prepared for it.
class strategy {
public:
  virtual ~strategy() = default;

  /// Any thread.
  virtual std::unique_ptr<client> connect() = 0;
};

} // namespace roost::contention
