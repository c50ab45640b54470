#pragma once

#include "actors/bookings/booking_decider.hpp"

#include <chrono>
#include <utility>
#include <vector>

namespace roost::actors {

/// The queue's periodic work besides decisions: advances stays, and erases old guests once an hour. What the
/// database has rejected is left out for an hour, so that the rest is reached. Belongs to the queue's actor
/// and lives as long as it.
class housekeeping {
public:
  /// `setup` is the queue's.
  template <typename Self, typename Setup>
  void run(Self* self, const Setup& setup, const store::lease& lease) {
    erase_guests(self, setup, lease);
    if (std::exchange(advancing_, true)) return;
    const auto now = std::chrono::steady_clock::now();
    if (now >= retry_stays_at_) {
      rejected_stays_.clear();
      retry_stays_at_ = now + retry_interval;
    }
    advance_stays(self, setup.writing, lease, setup.decisions.now(), setup.is_time_trusted, rejected_stays_,
                  [this](const std::vector<store::rejected_item<domain::uuid>>& rejected) {
                    for (const auto& each : rejected) rejected_stays_.push_back(each.item);
                    advancing_ = false;
                  });
  }

private:
  static constexpr std::chrono::hours erase_interval{1}, retry_interval{1};

  template <typename Self, typename Setup>
  void erase_guests(Self* self, const Setup& setup, const store::lease& lease) {
    const auto now = std::chrono::steady_clock::now();
    if (!setup.keep_guests || now < erase_at_) return;
    if (!std::exchange(is_erasing_, true)) rejected_guests_ = {};
    erase_at_ = now + erase_interval;
    erase_old_guests(self, setup.reading, lease, setup.decisions.now(), setup.is_time_trusted,
                     *setup.keep_guests, rejected_guests_,
                     [this](const store::erasure& erased) { erased_some(erased); });
  }

  /// Continues at once as long as there may be more.
  void erased_some(const store::erasure& erased) {
    const auto& [tenants, requests] = erased.rejected;
    rejected_guests_.tenants.insert(rejected_guests_.tenants.end(), tenants.begin(), tenants.end());
    rejected_guests_.requests.insert(rejected_guests_.requests.end(), requests.begin(), requests.end());
    is_erasing_ = erased.tenants + erased.requests > 0 || !tenants.empty() || !requests.empty();
    if (is_erasing_) erase_at_ = {};
  }

  bool advancing_ = false; ///< an advance_stays() is in progress
  std::vector<domain::uuid> rejected_stays_;
  std::chrono::steady_clock::time_point retry_stays_at_{};

  bool is_erasing_ = false; ///< and not yet through
  store::guest_rows rejected_guests_;
  std::chrono::steady_clock::time_point erase_at_{};
};

} // namespace roost::actors
