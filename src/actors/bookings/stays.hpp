#pragma once

#include "actors/runtime/storage.hpp"
#include "log/log.hpp"
#include "store/bookings/decisions.hpp"

namespace roost::actors {

/// Checks in and out the bookings whose day has come by the process's clock, as long as the database's agrees
/// with it: nothing would undo what a wrong clock does. What fails is done by the next call.
template <typename Self>
void advance_stays(Self* self, const storage_actor& writing, const store::lease& lease, domain::timestamp now,
                   std::chrono::milliseconds clock_tolerance) {
  in_storage(
      self, writing, "advance_stays",
      [lease, now, clock_tolerance](store::session& db) {
        const auto difference = store::database_clock(db) - now;
        if (std::chrono::abs(difference) > clock_tolerance)
          throw store::unavailable("this machine's clock and the database's are apart");
        return store::advance_stays(db, lease, domain::day_of(now));
      },
      [](const store::stays_advanced& moved) {
        if (moved.checked_in + moved.checked_out > 0)
          log::info("stays_advanced", {{"checked_in", moved.checked_in}, {"checked_out", moved.checked_out}});
      },
      [](storage_error) {});
}

} // namespace roost::actors
