#pragma once

#include "actors/bookings/booking_decider.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <unordered_map>

namespace roost::actors {

/// The accounts that have changed since their requests were decided, in one run of the queue.
class outdated_accounts {
public:
  using clock = std::chrono::steady_clock;

  /// The decisions for these accounts are outdated.
  void add(std::span<const domain::uuid> accounts) {
    set_aside_.insert(accounts.begin(), accounts.end());
    for (const auto& account : accounts) ++attempts_[account];
  }

  /// A decision for these accounts was written.
  template <typename Accounts>
  void remove(const Accounts& accounts) {
    if (attempts_.empty()) return;
    for (const auto& account : accounts) attempts_.erase(account);
  }

  /// Returns whether requests of these accounts have been set aside.
  bool empty() const { return set_aside_.empty(); }
  bool contain_units_of(const request_candidates& candidates) const {
    return refers_to(candidates, set_aside_);
  }

  /// Their requests are read again.
  void start_over() { set_aside_.clear(); }
  void clear() {
    start_over();
    attempts_.clear();
  }

  /// Whether an account has changed so often that its decisions need a lock. Never twice within an interval,
  /// so that changes and memory make progress, too.
  bool need_lock(clock::time_point now = clock::now()) {
    const auto is_overdue = [](const auto& account) { return account.second >= max_attempts; };
    if (now < next_lock_ || std::ranges::none_of(attempts_, is_overdue)) return false;
    locked_at_ = now;
    next_lock_ = now + lock_interval;
    return true;
  }

  /// The lock has ended. The next one is as late as the time that everything else needs: on SQLite,
  /// acknowledgements wait for the lock, too.
  void lock_ended(clock::time_point now = clock::now()) {
    next_lock_ = std::max(next_lock_, now + pause_per_lock * (now - locked_at_));
  }

private:
  static constexpr int max_attempts = 5; ///< in a row
  static constexpr std::chrono::seconds lock_interval{2};
  static constexpr int pause_per_lock = 9; ///< the store is locked for a tenth of the time at most

  account_set set_aside_;
  std::unordered_map<domain::uuid, int, domain::uuid_hash> attempts_;
  clock::time_point locked_at_{}, next_lock_{};
};

} // namespace roost::actors
