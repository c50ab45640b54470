#pragma once

#include <atomic>
#include <chrono>

namespace roost::store {

/// Shuts down the connection to a database server that neither replies nor closes it: one that is stopped,
/// starved, or waiting for its disk. PostgreSQL's own timeouts are enforced by that same server, and libpq
/// waits for a reply without a limit. A call that takes too long then fails with a lost connection, which all
/// users of a session handle.
class stall_guard {
public:
  using clock = std::chrono::steady_clock;

  /// Guards the connection that uses this socket; the connection keeps ownership of the socket.
  explicit stall_guard(int socket);
  ~stall_guard();
  stall_guard(const stall_guard&) = delete;
  stall_guard& operator=(const stall_guard&) = delete;

  /// Limits the duration of calls during its lifetime; a null guard means no limit.
  class time_limit {
  public:
    time_limit(stall_guard* guard, clock::duration limit) : guard_(guard) {
      if (guard_) guard_->deadline_.store(clock::now() + limit, std::memory_order_relaxed);
    }
    ~time_limit() {
      if (guard_) guard_->deadline_.store(clock::time_point::max(), std::memory_order_relaxed);
    }
    time_limit(const time_limit&) = delete;
    time_limit& operator=(const time_limit&) = delete;

  private:
    stall_guard* guard_;
  };

private:
  class watchdog;

  int socket_; ///< a duplicated descriptor, so that the number cannot be reused for another connection
  std::atomic<clock::time_point> deadline_{clock::time_point::max()};
};

} // namespace roost::store
