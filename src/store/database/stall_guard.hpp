#pragma once

#include <atomic>
#include <chrono>

namespace roost::store {

/// Ends a wait for a database server that neither replies nor closes the connection: one that is stopped,
/// starved, or waiting for its disk. PostgreSQL's own time limits are enforced by that same server, and its
/// client library waits for a reply without a limit.
///
/// A call that takes too long finds its connection closed. Every user of a session handles lost connections.
class stall_guard {
public:
  using clock = std::chrono::steady_clock;

  /// For the connection that uses this socket; the socket stays the connection's to close.
  explicit stall_guard(int socket);
  ~stall_guard();
  stall_guard(const stall_guard&) = delete;
  stall_guard& operator=(const stall_guard&) = delete;

  /// Limits the time of what is called during its lifetime; without a guard there is no limit.
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

  int socket_; ///< a descriptor of its own, so that the number stays this connection's
  std::atomic<clock::time_point> deadline_{clock::time_point::max()};
};

} // namespace roost::store
