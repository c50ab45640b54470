#pragma once

#include "store/database/lease.hpp"

#include <chrono>
#include <mutex>
#include <optional>

namespace roost::actors {

/// This server's right to write and serve, as all threads see it. It ends by itself at a deadline on the
/// monotonic clock that was counted from before the last renewal, so a server that was stopped past it does
/// not serve when it goes on.
class held_lease {
public:
  using clock = std::chrono::steady_clock;

  void hold(store::lease held, clock::time_point until) {
    std::lock_guard lock{mutex_};
    held_ = std::move(held);
    until_ = until;
  }

  void give_up() {
    std::lock_guard lock{mutex_};
    held_.reset();
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
  mutable std::mutex mutex_;
  std::optional<store::lease> held_;
  clock::time_point until_{};
};

} // namespace roost::actors
