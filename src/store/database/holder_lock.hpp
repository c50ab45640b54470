#pragma once

#include "store/database/session.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace roost::store {

/// Whether a holder_lock is known to be held; for all threads. It goes stale by itself, so that a process
/// whose watch does not run is not sure either.
class lock_certainty {
public:
  using clock = std::chrono::steady_clock;

  bool is_sure(clock::time_point now) const { return now < until_.load(std::memory_order_acquire); }
  void last_until(clock::time_point until) { until_.store(until, std::memory_order_release); }

  /// It was seen to end, for good.
  bool has_ended() const { return has_ended_.load(std::memory_order_acquire); }
  void end() {
    has_ended_.store(true, std::memory_order_release);
    last_until(clock::time_point::min());
  }

private:
  std::atomic<bool> has_ended_{false};
  std::atomic<clock::time_point> until_{clock::time_point::min()};
};

/// A lock that ends with the process that has it: whoever gets it knows that the one who had it is gone, or
/// stops serving within grace(). In SQLite it is the operating system's lock on `<database>.lock`, in
/// PostgreSQL an advisory lock of a connection of its own. Both stay with a process that is stopped.
class holder_lock {
public:
  /// For the store of this URL. Takes nothing.
  explicit holder_lock(const std::string& url);
  ~holder_lock();
  holder_lock(const holder_lock&) = delete;
  holder_lock& operator=(const holder_lock&) = delete;

  /// True when it is held; false when another process has it. Throws unavailable, also when
  /// the file cannot be opened or locked.
  bool try_take();
  /// Nothing happens when it is not held.
  void give_back() noexcept;

  /// Taken and not seen to end since. Whether that is certain now is for certainty() to tell.
  bool is_held() const { return certainty_ && !certainty_->has_ended(); }
  /// Of the lock as it was taken last; null: not taken. In PostgreSQL it is over within 250 ms of the
  /// connection's end.
  std::shared_ptr<const lock_certainty> certainty() const { return certainty_; }

  /// Which lock this is, while it is taken: the file, or the run of the database server. A lock that was made
  /// anew, or that of a copy of the database, has another name and tells nothing of the holder of the first.
  const std::string& name() const { return name_; }
  /// How long after its lock has ended a holder may still serve.
  std::chrono::milliseconds grace() const;

private:
  class connection_watch;

  bool take_file();
  bool take_in_database();

  session db_; ///< PostgreSQL: connected while the lock is wanted
  std::unique_ptr<connection_watch> watch_;
  std::shared_ptr<lock_certainty> certainty_;
  std::string name_;
  int file_ = -1;
};

} // namespace roost::store
