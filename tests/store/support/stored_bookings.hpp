#pragma once

#include "domain/unit.hpp"
#include "store/database/connection.hpp"

#include <map>
#include <span>
#include <vector>

/// Queries on booking requests and their bookings.
namespace roost::testing {

struct booked_stay {
  domain::uuid unit_id{};
  domain::nights blocked; ///< including preparation days
};

/// Returns the stays of the bookings that resulted from these requests.
inline std::vector<booked_stay> booked_stays(store::session& db, std::span<const domain::uuid> requests) {
  static const store::selection of_requests{
      "test_booked_stays", "select {columns} from bookings where request_id in {ids uuid}",
      store::columns(store::column("unit_id", &booked_stay::unit_id),
                     store::column("check_in", &booked_stay::blocked, &domain::nights::first),
                     store::column("last_night", &booked_stay::blocked, &domain::nights::last))};
  return db.internals().read_all(of_requests, {{"ids", db.internals().list(requests)}});
}

/// Returns the states of those of the requests that are in the store.
inline std::map<domain::uuid, domain::request_state> request_states(store::session& db,
                                                                    std::span<const domain::uuid> requests) {
  static const store::selection of_requests{
      "test_request_states", "select {columns} from booking_requests where id in {ids uuid}",
      store::named<domain::uuid>("id"), store::named<domain::request_state>("state")};
  std::map<domain::uuid, domain::request_state> states;
  db.internals().read(
      of_requests, {{"ids", db.internals().list(requests)}},
      [&](const domain::uuid& id, domain::request_state state) { states.emplace(id, state); });
  return states;
}

} // namespace roost::testing
