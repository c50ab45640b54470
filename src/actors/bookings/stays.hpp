#pragma once

#include "actors/runtime/storage.hpp"
#include "log/log.hpp"
#include "store/bookings/decisions.hpp"

namespace roost::actors {

/// Checks in and out the bookings whose day has come. What fails is done by the next call.
template <typename Self>
void advance_stays(Self* self, const storage_actor& writing, const store::lease& lease, domain::date today) {
  in_storage(
      self, writing, "advance_stays",
      [lease, today](store::session& db) { return store::advance_stays(db, lease, today); },
      [](const store::stays_advanced& moved) {
        if (moved.checked_in + moved.checked_out > 0)
          log::info("stays_advanced", {{"checked_in", moved.checked_in}, {"checked_out", moved.checked_out}});
      },
      [](storage_error) {});
}

} // namespace roost::actors
