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
  static const store::selection of_requests{
      "test_booked_stays", "select {columns} from bookings where request_id in {ids uuid}",
      store::columns(store::column("unit_id", &booked_stay::unit_id),
                     store::column("check_in", &booked_stay::blocked, &domain::nights::first),
                     store::column("last_night", &booked_stay::blocked, &domain::nights::last))};
  return db.internals().read_all(of_requests, {{"ids", db.internals().list(requests)}});
}

} // namespace roost::testing
