#pragma once

#include "store/database/lease.hpp"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

namespace roost::actors {

/// This server's right to write and serve, as all threads see it. It ends by itself at a deadline on the
/// monotonic clock that was counted from before the last renewal, so a server that was stopped past it does
/// not serve when it goes on. It may be used only while memory has followed the store's changes as far as they had come
/// when the lease was taken.
class held_lease {
public:
  using clock = std::chrono::steady_clock;

  /// `lost` is called at most once, on the thread that learns of it.
  explicit held_lease(std::function<void()> lost = [] {}) : lost_(std::move(lost)) {}

  /// Nothing happens after lose().
  void hold(store::lease held, clock::time_point until) {
    std::lock_guard lock{mutex_};
    if (is_lost_) return;
    held_ = std::move(held);
    until_ = until;
  }

  /// The lease was taken where the stream of changes stood at this position.
  void take(store::lease held, clock::time_point until, std::int64_t position) {
    std::lock_guard lock{mutex_};
    if (is_lost_) return;
    held_ = std::move(held);
    until_ = until;
    needed_ = position;
  }

  /// Memory has followed the changes up to a position; nothing: it has not, or it may be wrong.
  void follow(std::optional<std::int64_t> position) {
    std::lock_guard lock{mutex_};
    followed_ = position;
  }

  void give_up() {
    std::lock_guard lock{mutex_};
    held_.reset();
  }

  /// Ends it for good: what is in memory is not what is in the store, and this process must end.
  void lose() {
    {
      std::lock_guard lock{mutex_};
      held_.reset();
      if (std::exchange(is_lost_, true)) return;
    }
    lost_();
  }

  /// The lease while it may be used, else nothing.
  std::optional<store::lease> current() const {
    std::lock_guard lock{mutex_};
    if (!is_held() || !is_followed()) return std::nullopt;
    return held_;
  }

  bool holds() const {
    std::lock_guard lock{mutex_};
    return is_held() && is_followed();
  }

  /// The lease while it is held, for whoever brings memory to where it must be.
  std::optional<store::lease> held() const {
    std::lock_guard lock{mutex_};
    return is_held() ? held_ : std::nullopt;
  }

private:
  bool is_held() const { return held_ && clock::now() < until_; }
  bool is_followed() const { return followed_ && *followed_ >= needed_; }

  const std::function<void()> lost_;
  mutable std::mutex mutex_;
  bool is_lost_ = false;
  std::optional<store::lease> held_;
  clock::time_point until_{};
  std::int64_t needed_ = 0;
  std::optional<std::int64_t> followed_ = 0; ///< without a follower memory is what it is
};

} // namespace roost::actors
