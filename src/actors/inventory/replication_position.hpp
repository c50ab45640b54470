#pragma once

#include "store/database/boot_clock.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

namespace roost::actors {

/// The position up to which memory has followed the store's change stream. Thread-safe. After reading
/// point(), memory holds at least all changes up to it.
class replication_position {
public:
  using clock = store::boot_clock;

  /// How far memory is behind the store, as of the last poll.
  struct lag {
    std::int64_t changes = 0;
    clock::duration since_followed{}; ///< since memory was last known to hold all changes
    clock::duration since_poll{};     ///< since the last poll whose changes were applied
  };

  explicit replication_position(std::function<clock::time_point()> now = &clock::now)
      : now_(std::move(now)) {}

  store::stream_point point() const {
    std::lock_guard lock{mutex_};
    return point_;
  }

  /// Returns the lag. While memory is empty, all changes are missing, since the start or since it was last
  /// current.
  lag behind() const {
    std::lock_guard lock{mutex_};
    const auto now = now_();
    return {newest_ - point_.position, now - followed_at_, now - polled_at_};
  }

  bool is_empty() const {
    std::lock_guard lock{mutex_};
    return point_.position == 0;
  }

  /// A generation counter, incremented by forget(). Results derived from an earlier generation are invalid.
  std::uint64_t generation() const {
    std::lock_guard lock{mutex_};
    return generation_;
  }

  /// Memory holds all changes up to this point.
  void reach(const store::stream_point& point) {
    {
      std::lock_guard lock{mutex_};
      point_ = point;
      newest_ = std::max(newest_, point.position);
    }
    reached_.notify_all();
  }

  /// A caller that waits for memory while it keeps the store from being written. During its lifetime, the
  /// follower must not wait for the store.
  class waiter {
  public:
    explicit waiter(const replication_position& followed) : followed_(followed) { ++followed_.waiters_; }
    ~waiter() { --followed_.waiters_; }
    waiter(const waiter&) = delete;
    waiter& operator=(const waiter&) = delete;

    /// Returns whether memory has reached the position in time.
    bool wait(std::int64_t position, std::chrono::milliseconds timeout) const {
      std::unique_lock lock{followed_.mutex_};
      return followed_.reached_.wait_for(lock, timeout,
                                         [&] { return followed_.point_.position >= position; });
    }

  private:
    const replication_position& followed_;
  };

  bool has_waiters() const { return waiters_ > 0; }

  /// A poll has found this newest position.
  void see(std::int64_t newest) {
    std::lock_guard lock{mutex_};
    newest_ = newest;
    polled_at_ = now_();
    if (point_.position >= newest) followed_at_ = polled_at_;
  }

  /// Memory is empty.
  void forget() {
    std::lock_guard lock{mutex_};
    point_ = {};
    ++generation_;
  }

private:
  const std::function<clock::time_point()> now_;
  mutable std::mutex mutex_;
  mutable std::condition_variable reached_;
  mutable std::atomic<int> waiters_ = 0;
  store::stream_point point_;
  std::int64_t newest_ = 0;
  std::uint64_t generation_ = 0;
  clock::time_point followed_at_ = now_(), polled_at_ = followed_at_;
};

} // namespace roost::actors
