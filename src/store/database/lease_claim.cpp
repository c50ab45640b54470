#include "store/database/lease_claim.hpp"

namespace roost::store {

std::optional<taken_lease> lease_claim::try_take(session& db) {
  const auto other = current_lease(db);
  if (!other || other->expired || other->holder.node == node_) {
    take_lock();
    return take(db, std::nullopt);
  }
  if (is_gone(*other) || has_outlasted_its_length(*other)) return take(db, other->holder.epoch);
  return std::nullopt;
}

lease_claim::renewal lease_claim::renew(session& db, const lease& held) {
  take_lock();
  if (needs_lock_ && !lock_.is_held()) {
    const auto writer = current_lease(db);
    return writer && writer->holder == held && !writer->expired ? renewal::unlocked : renewal::lost;
  }
  if (!store::renew(db, held, duration_, lock_.name())) return renewal::lost;
  needs_lock_ = lock_.is_held();
  return renewal::renewed;
}

void lease_claim::release(session& db, const lease& held) {
  lock_.give_back();
  store::release(db, held);
}

bool lease_claim::should_renew_now() {
  if (lock_.is_held() && needs_lock_) return false;
  if (needs_lock_) return true;
  take_lock();
  return lock_.is_held();
}

std::optional<taken_lease> lease_claim::take(session& db, std::optional<std::int64_t> gone) {
  auto taken = try_acquire(db, node_, duration_, lock_.name(), gone, use_);
  if (taken) needs_lock_ = lock_.is_held();
  return taken;
}

/// A lock that is no proof is given back: the holder may want it.
bool lease_claim::is_gone(const lease_state& other) {
  if (other.lock.empty()) {
    lock_.give_back();
    return false;
  }
  take_lock();
  if (!lock_.is_held()) return false;
  if (lock_.name() == other.lock) return clock::now() >= locked_since_ + lock_.grace();
  lock_.give_back();
  return false;
}

/// An end further ahead than a lease lasts came from a clock that was wrong. Its holder renews it, or has not
/// lived for a lease's length.
bool lease_claim::has_outlasted_its_length(const lease_state& other) {
  if (!expires_implausibly_late(other, duration_)) {
    unbelievable_.reset();
    return false;
  }
  const bool is_same =
      unbelievable_ && unbelievable_->holder == other.holder && unbelievable_->expires_at == other.expires_at;
  if (!is_same) {
    unbelievable_ = other;
    unbelievable_since_ = clock::now();
  }
  return clock::now() >= unbelievable_since_ + duration_;
}

void lease_claim::take_lock() {
  if (lock_.is_held()) return;
  if (lock_.try_take()) locked_since_ = clock::now();
}

} // namespace roost::store
