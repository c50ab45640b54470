#pragma once

#include "actors/bookings/booking_decider.hpp"

#include <chrono>
#include <cstdint>
#include <utility>

namespace roost::actors {

/// The queue's periodic work besides decisions: advances stays, and erases old guests once an hour. Belongs
/// to the queue's actor and lives as long as it.
class housekeeping {
public:
  /// `setup` is the queue's.
  template <typename Self, typename Setup>
  void run(Self* self, const Setup& setup, const store::lease& lease) {
    erase_guests(self, setup, lease);
    if (std::exchange(advancing_, true)) return;
    advance_stays(self, setup.writing, lease, setup.decisions.now(), setup.is_time_trusted,
                  [this] { advancing_ = false; });
  }

private:
  static constexpr std::chrono::hours erase_interval{1};

  template <typename Self, typename Setup>
  void erase_guests(Self* self, const Setup& setup, const store::lease& lease) {
    const auto now = std::chrono::steady_clock::now();
    if (!setup.keep_guests || now < erase_at_) return;
    erase_at_ = now + erase_interval;
    erase_old_guests(self, setup.reading, lease, setup.decisions.now(), setup.is_time_trusted,
                     *setup.keep_guests, [this](std::int64_t erased) {
                       if (erased > 0) erase_at_ = {}; // there may be more
                     });
  }

  bool advancing_ = false; ///< an advance_stays() is in progress
  std::chrono::steady_clock::time_point erase_at_{};
};

} // namespace roost::actors
