#pragma once

#include "store/database/boot_clock.hpp"
#include "store/database/holder_lock.hpp"
#include "store/database/lease.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace roost::actors {

/// This server's right to write and serve. Thread-safe. It expires at a deadline on the boot clock,
/// counted from before the last renewal, so a server that was suspended beyond it does not serve when it
/// resumes. If memory follows the store's changes, the lease is usable only while memory is known to include
/// the changes made before the lease was taken.
class held_lease {
public:
  using clock = store::boot_clock;

  /// Records a renewal. After the deadline, memory has to be confirmed again: commands wait for the changes
  /// to be shown only by a server whose lease is valid.
  void hold(store::lease held, clock::time_point until) {
    std::lock_guard lock{mutex_};
    if (held_ && clock::now() >= until_) forget_followed();
    held_ = std::move(held);
    until_ = until;
  }

  /// Records a takeover, with the position of the change stream at that time. Memory has to be confirmed
  /// again, since the store may be a different one.
  void take(store::lease held, clock::time_point until, std::int64_t position) {
    std::lock_guard lock{mutex_};
    held_ = std::move(held);
    until_ = until;
    needed_ = position;
    forget_followed();
  }

  /// Makes the lease depend on a lock; null: on none. Replacing a lock means that the store may be a
  /// different one, so memory has to be confirmed again; a first lock for a lease taken without one does not.
  void rest_on(std::shared_ptr<const store::lock_certainty> certainty) {
    std::lock_guard lock{mutex_};
    if (certainty_ && certainty != certainty_) forget_followed();
    certainty_ = std::move(certainty);
  }

  void give_up() {
    std::lock_guard lock{mutex_};
    held_.reset();
  }

  /// Makes the lease unusable until memory is confirmed again by follow().
  void invalidate() {
    std::lock_guard lock{mutex_};
    has_follower_ = true;
    forget_followed();
  }

  /// Returns the generation counter for follow(), to be read before polling the store.
  std::uint64_t generation() const {
    std::lock_guard lock{mutex_};
    return generation_;
  }

  /// Confirms that memory holds all changes up to a position. Ignored if the lease was invalidated since
  /// `generation` was read.
  void follow(std::int64_t position, std::uint64_t generation) {
    std::lock_guard lock{mutex_};
    if (generation == generation_) followed_ = position;
  }

  /// Returns the lease while it is usable, else nullopt.
  std::optional<store::lease> current() const {
    std::lock_guard lock{mutex_};
    return is_held() && is_followed() ? held_ : std::nullopt;
  }

  bool holds() const {
    std::lock_guard lock{mutex_};
    return is_held() && is_followed();
  }

  /// Returns the position of the change stream at the last takeover. What is served must show all changes up
  /// to it, so that no reader sees less than the earlier writer has shown.
  std::int64_t needed() const {
    std::lock_guard lock{mutex_};
    return needed_;
  }

  /// Returns the lease while it is held, even if memory is not confirmed yet.
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
    ++generation_;
    followed_.reset();
  }

  mutable std::mutex mutex_;
  std::optional<store::lease> held_;
  std::shared_ptr<const store::lock_certainty> certainty_;
  clock::time_point until_{};
  std::int64_t needed_ = 0;
  bool has_follower_ = false;
  std::uint64_t generation_ = 0;
  std::optional<std::int64_t> followed_;
};

} // namespace roost::actors
