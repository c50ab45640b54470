#include "store/database/lease_claim.hpp"

namespace roost::store {

std::optional<taken_lease> lease_claim::try_take(session& db) {
  if (is_barred(db)) return std::nullopt;
  const auto current = current_lease(db);
  const bool yields =
      use_ == lease_use::serve && current && current->holder.node.starts_with(inspecting_node_prefix);
  if (!current || current->expired || yields || current->holder.node == node_) {
    take_lock();
    return take(db, std::nullopt);
  }
  if (is_gone(*current) || has_outlived_its_length(*current)) return take(db, current->holder.epoch);
  return std::nullopt;
}

bool lease_claim::is_barred(session& db) {
  if (use_ == lease_use::inspect && !is_barred_) is_barred_ = serving_server(db).has_value();
  if (is_barred_) lock_.release(); // for the servers
  return is_barred_;
}

lease_claim::renewal lease_claim::renew(session& db, const lease& held) {
  take_lock();
  if (needs_lock_ && !lock_.is_held()) {
    const auto current = current_lease(db);
    return current && current->holder == held && !current->expired ? renewal::unlocked : renewal::lost;
  }
  if (!store::renew(db, held, duration_, lock_.name())) return renewal::lost;
  needs_lock_ = lock_.is_held();
  return renewal::renewed;
}

void lease_claim::release(session& db, const lease& held) {
  lock_.release();
  store::release(db, held);
}

bool lease_claim::should_renew_now() {
  if (lock_.is_held() && needs_lock_) return false;
  if (needs_lock_) return true;
  take_lock();
  return lock_.is_held();
}

std::optional<taken_lease> lease_claim::take(session& db, std::optional<std::int64_t> dead_epoch) {
  auto taken = try_acquire(db, node_, duration_, lock_.name(), dead_epoch, use_);
  if (taken) needs_lock_ = lock_.is_held();
  return taken;
}

/// Returns whether the lock proves that the holder is gone. Releases a lock that proves nothing, because the
/// holder may need it.
bool lease_claim::is_gone(const lease_state& other) {
  if (other.lock.empty()) {
    lock_.release();
    return false;
  }
  take_lock();
  if (!lock_.is_held()) return false;
  if (lock_.name() == other.lock) return clock::now() >= locked_since_ + lock_.grace();
  lock_.release();
  return false;
}

/// Returns whether an implausibly late lease, which was set with a wrong clock, has not been renewed for a
/// lease's length, as a running holder would have done.
bool lease_claim::has_outlived_its_length(const lease_state& other) {
  if (!expires_implausibly_late(other, duration_)) {
    implausible_.reset();
    return false;
  }
  const bool is_same =
      implausible_ && implausible_->holder == other.holder && implausible_->expires_at == other.expires_at;
  if (!is_same) {
    implausible_ = other;
    implausible_since_ = clock::now();
  }
  return clock::now() >= implausible_since_ + duration_;
}

void lease_claim::take_lock() {
  if (lock_.is_held()) return;
  if (lock_.try_take()) locked_since_ = clock::now();
}

} // namespace roost::store
