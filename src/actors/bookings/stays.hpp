#pragma once

#include "actors/runtime/storage.hpp"
#include "log/log.hpp"
#include "store/bookings/decisions.hpp"
#include "store/bookings/erasure.hpp"

#include <algorithm>

namespace roost::actors {

/// Throws unavailable when the process's clock and the database's are further apart than that: nothing would
/// undo what a wrong clock does.
inline void check_clock(store::session& db, domain::timestamp now, std::chrono::milliseconds tolerance) {
  if (std::chrono::abs(store::database_clock(db) - now) > tolerance)
    throw store::unavailable("this machine's clock and the database's are apart");
}

/// Checks in and out the bookings whose day has come by the process's clock, as long as the database's agrees
/// with it. What fails is done by the next call.
template <typename Self>
void advance_stays(Self* self, const storage_actor& writing, const store::lease& lease, domain::timestamp now,
                   std::chrono::milliseconds clock_tolerance) {
  in_storage(
      self, writing, "advance_stays",
      [lease, now, clock_tolerance](store::session& db) {
        check_clock(db, now, clock_tolerance);
        return store::advance_stays(db, lease, domain::day_of(now));
      },
      [](const store::stays_advanced& moved) {
        if (moved.checked_in + moved.checked_out > 0)
          log::info("stays_advanced", {{"checked_in", moved.checked_in}, {"checked_out", moved.checked_out}});
      },
      [](storage_error) {});
}

/// Erases guests whose stays ended longer ago than `keep` by the process's clock, as long as the database's
/// agrees with it. `done` gets how many were erased, to go on at once where there may be more.
template <typename Self, typename Done>
void erase_old_guests(Self* self, const storage_actor& storage, const store::lease& lease,
                      domain::timestamp now, std::chrono::milliseconds clock_tolerance,
                      std::chrono::milliseconds keep, Done done) {
  constexpr std::size_t guests_at_once = 100;
  in_storage(
      self, storage, "erase_old_guests",
      [lease, now, clock_tolerance, keep](store::session& db) {
        check_clock(db, now, clock_tolerance);
        return store::erase_former_guests(db, lease, domain::day_of(now - keep), guests_at_once);
      },
      [done](const store::erasure& erased) {
        const auto count = std::max(erased.tenants, erased.requests);
        if (count > 0)
          log::info("guests_erased", {{"tenants", erased.tenants}, {"requests", erased.requests}});
        done(count);
      },
      [](storage_error) {});
}

} // namespace roost::actors
