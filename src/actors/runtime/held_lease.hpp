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
/// not serve when it goes on.
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
    if (!held_ || clock::now() >= until_) return std::nullopt;
    return held_;
  }

  bool holds() const {
    std::lock_guard lock{mutex_};
    return held_ && clock::now() < until_;
  }

private:
  const std::function<void()> lost_;
  mutable std::mutex mutex_;
  bool is_lost_ = false;
  std::optional<store::lease> held_;
  clock::time_point until_{};
};

} // namespace roost::actors
