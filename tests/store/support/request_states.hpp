#pragma once

#include "store/columns/enum_text.hpp"
#include "store/database/connection.hpp"

#include <map>
#include <span>

namespace roost::testing {

/// The states of those of the requests that the store has.
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
