#pragma once

#include "store/database/holder_lock.hpp"
#include "store/database/lease.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace roost::actors {

/// This server's right to write and serve, as all threads see it. It ends by itself at a deadline on the
/// monotonic clock that was counted from before the last renewal, so a server that was stopped past it does
/// not serve when it goes on. Where memory follows the store's changes, it may be used only while memory is
/// known to hold those that had come when the lease was taken.
class held_lease {
public:
  using clock = std::chrono::steady_clock;

  /// It was renewed.
  void hold(store::lease held, clock::time_point until) {
    std::lock_guard lock{mutex_};
    held_ = std::move(held);
    until_ = until;
  }

  /// The lease was taken where the stream of changes stood at this position. What was known of memory before
  /// does not count: the store may be another one.
  void take(store::lease held, clock::time_point until, std::int64_t position) {
    std::lock_guard lock{mutex_};
    held_ = std::move(held);
    until_ = until;
    needed_ = position;
    forget_followed();
  }

  /// It is held only while this lock is, too; null: it does not rest on one. With another lock than before
  /// the store may be another one. A first lock, of a lease that was taken without one, says nothing like it.
  void rest_on(std::shared_ptr<const store::lock_certainty> certainty) {
    std::lock_guard lock{mutex_};
    if (certainty_ && certainty != certainty_) forget_followed();
    certainty_ = std::move(certainty);
  }

  void give_up() {
    std::lock_guard lock{mutex_};
    held_.reset();
  }

  /// Memory may be wrong, until it has followed the store again.
  void invalidate() {
    std::lock_guard lock{mutex_};
    has_follower_ = true;
    forget_followed();
  }

  /// What follow() needs, read before the look at the store that it tells of.
  std::uint64_t doubts() const {
    std::lock_guard lock{mutex_};
    return doubts_;
  }

  /// Memory holds all changes up to a position. It does not count when there was another doubt meanwhile.
  void follow(std::int64_t position, std::uint64_t doubts) {
    std::lock_guard lock{mutex_};
    if (doubts == doubts_) followed_ = position;
  }

  /// The lease while it may be used, else nothing.
  std::optional<store::lease> current() const {
    std::lock_guard lock{mutex_};
    return is_held() && is_followed() ? held_ : std::nullopt;
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
  bool is_held() const {
    const auto now = clock::now();
    return held_ && now < until_ && (!certainty_ || certainty_->is_certain(now));
  }
  bool is_followed() const { return !has_follower_ || (followed_ && *followed_ >= needed_); }

  void forget_followed() {
    ++doubts_;
    followed_.reset();
  }

  mutable std::mutex mutex_;
  std::optional<store::lease> held_;
  std::shared_ptr<const store::lock_certainty> certainty_;
  clock::time_point until_{};
  std::int64_t needed_ = 0;
  bool has_follower_ = false;
  std::uint64_t doubts_ = 0;
  std::optional<std::int64_t> followed_;
};

} // namespace roost::actors
