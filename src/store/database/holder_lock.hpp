#pragma once

#include "store/database/boot_clock.hpp"
#include "store/database/session.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

namespace roost::store {

/// Whether a holder_lock is known to be held. Thread-safe. It expires on its own, so that it is not certain
/// in a process whose watch thread is stalled.
class lock_certainty {
public:
  using clock = boot_clock;

  bool is_certain(clock::time_point now) const { return now < until_.load(std::memory_order_acquire); }
  void extend_until(clock::time_point until) { until_.store(until, std::memory_order_release); }

  /// Returns whether the lock was observed to end, which is final.
  bool has_ended() const { return has_ended_.load(std::memory_order_acquire); }
  void end() {
    has_ended_.store(true, std::memory_order_release);
    extend_until(clock::time_point::min());
  }

private:
  std::atomic<bool> has_ended_{false};
  std::atomic<clock::time_point> until_{clock::time_point::min()};
};

/// The operating system's lock on a file next to an SQLite database: `<database><suffix>`. It is never on the
/// database's own file, because closing that would end SQLite's locks. The lock ends with its process, at the
/// latest.
class file_lock {
public:
  file_lock() = default;
  ~file_lock() { release(); }
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

  /// Returns false if another process, or another lock of this one, has it. Throws unavailable if opening or
  /// locking the file fails. Must not be held.
  bool try_take(const std::string& database, const char* suffix);
  /// A no-op if the lock is not held.
  void release() noexcept;

  /// Identifies the locked file while the lock is held: a recreated one has another name.
  const std::string& name() const { return name_; }

private:
  int file_ = -1;
  std::string name_;
};

/// A lock that ends with its process: a process that gets it knows that the previous holder is gone, or stops
/// serving within grace(). On SQLite it is the operating system's lock on `<database>.lock`, on PostgreSQL an
/// advisory lock of a dedicated connection. A suspended process keeps either lock.
class holder_lock {
public:
  /// Creates the lock for the store at this URL without taking it.
  explicit holder_lock(const std::string& url);
  ~holder_lock();
  holder_lock(const holder_lock&) = delete;
  holder_lock& operator=(const holder_lock&) = delete;

  /// Returns false if another process has it. Throws unavailable, also when opening or locking a file fails.
  bool try_take();
  /// A no-op if the lock is not held.
  void release() noexcept;

  /// Returns whether the lock was taken and not observed to end; see certainty() for whether it is held now.
  bool is_held() const { return certainty_ && !certainty_->has_ended(); }
  /// Returns the certainty of the lock as last taken; null if it is not taken. On PostgreSQL it ends within
  /// 250 ms of the connection.
  std::shared_ptr<const lock_certainty> certainty() const { return certainty_; }

  /// Returns whether the last attempt found a connection pooler between this process and PostgreSQL. Another
  /// client may share the database's session then, and would get the session's lock, too: it is not taken.
  bool is_pooled() const { return is_pooled_; }

  /// Returns the name of the lock while it is taken: the file, or the run of the database server. A recreated
  /// lock, or that of a copy of the database, has another name and proves nothing about the first holder.
  const std::string& name() const { return name_; }
  /// Returns how long a holder may keep serving after its lock ended.
  std::chrono::milliseconds grace() const;

private:
  class connection_watch;

  bool take_file();
  bool take_in_database();

  session db_; ///< PostgreSQL: connected while the lock is needed
  std::unique_ptr<connection_watch> watch_;
  std::shared_ptr<lock_certainty> certainty_;
  std::string name_;
  bool is_pooled_ = false;
  file_lock file_; ///< SQLite
};

} // namespace roost::store
