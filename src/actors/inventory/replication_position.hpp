#pragma once

#include "store/database/transaction.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace roost::actors {

/// How far this process has followed the store's stream of changes; any thread may ask. Whoever reads the
/// point before he reads memory knows that memory holds every change up to it.
class replication_position {
public:
  using clock = std::chrono::steady_clock;

  /// How far memory is behind the store, as it was seen last.
  struct lag {
    std::int64_t changes = 0;
    clock::duration since_followed{}; ///< since memory was known to be level with the store
    clock::duration since_look{};     ///< since what the store had then was taken up
  };

  store::stream_point point() const {
    std::lock_guard lock{mutex_};
    return point_;
  }

  /// Of a memory that holds nothing of the store: all changes, and since it began or was last level.
  lag behind() const {
    std::lock_guard lock{mutex_};
    const auto now = clock::now();
    return {newest_ - point_.position, now - level_at_, now - looked_at_};
  }

  bool is_empty() const {
    std::lock_guard lock{mutex_};
    return point_.position == 0;
  }

  /// Another number after everything was forgotten: whoever read it before he read memory can tell later
  /// whether what he knew is still that memory's.
  std::uint64_t memory() const {
    std::lock_guard lock{mutex_};
    return memory_;
  }

  void reach(const store::stream_point& point) {
    std::lock_guard lock{mutex_};
    point_ = point;
    newest_ = std::max(newest_, point.position);
  }

  /// The store was looked at, and the stream stood there.
  void see(std::int64_t newest) {
    std::lock_guard lock{mutex_};
    newest_ = newest;
    looked_at_ = clock::now();
    if (point_.position >= newest) level_at_ = clock::now();
  }

  void forget() {
    std::lock_guard lock{mutex_};
    point_ = {};
    ++memory_;
  }

private:
  mutable std::mutex mutex_;
  store::stream_point point_;
  std::int64_t newest_ = 0;
  std::uint64_t memory_ = 0;
  clock::time_point level_at_ = clock::now(), looked_at_ = level_at_;
};

} // namespace roost::actors
