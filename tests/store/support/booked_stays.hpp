#pragma once

#include "domain/unit.hpp"
#include "store/database/connection.hpp"

#include <span>
#include <vector>

namespace roost::testing {

struct booked_stay {
  domain::uuid unit_id{};
  domain::nights blocked; ///< preparation days included
};

/// The stays of the bookings that came from these requests.
inline std::vector<booked_stay> booked_stays(store::session& db, std::span<const domain::uuid> requests) {
  static constexpr store::query of_requests{
      "test_booked_stays",
      "select unit_id, check_in, last_night from bookings where request_id in {ids uuid}", 3};
  std::vector<booked_stay> stays;
  db.internals().read(of_requests, {{"ids", db.internals().list(requests)}}, [&](store::row& r) {
    auto& stay = stays.emplace_back();
    stay.unit_id = r.id();
    stay.blocked.first = r.day();
    stay.blocked.last = r.day();
  });
  return stays;
}

} // namespace roost::testing
