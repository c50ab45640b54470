#pragma once

#include "history.hpp"
#include "orders.hpp"

#include <atomic>
#include <memory>

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

struct counts {
  std::uint64_t conflicts = 0, deadlocks = 0, retries = 0, errors = 0;
};

/// What one client has done so far. One thread writes it; `used` may be read by others meanwhile.
struct client_record {
  history operations;
  counts all;
  std::atomic<double> used{0}; ///< seconds of processor time

  /// What became of an order just now.
  void add(const orders& load, const order& asked, clock::time_point invoked, std::uint32_t client,
           const decision& made);
};

/// One way to decide who gets the nights. Made when the store has been prepared for it.
class strategy {
public:
  virtual ~strategy() = default;

  /// Begins to let as many clients as there are records ask for what is ordered, each for one request at a
  /// time.
  virtual void start(orders& from, std::vector<std::unique_ptr<client_record>>& clients) = 0;

  /// Waits until the orders have ended and every client knows what became of its last request.
  virtual void join() = 0;
};

} // namespace roost::contention
