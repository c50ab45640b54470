#pragma once

#include "store/database/connection.hpp"
#include "store/support/sample_portfolio.hpp"

#include <string>

namespace roost::testing {

/// A hold of the first account's first unit, as a row of the store.
struct hold_row {
  std::string id, check_in, check_out;
  std::string last_night = {}; ///< empty: the night before the check-out
  std::string platform = "marketplace-a", external_id = "ext-1";
  domain::uuid unit = unit_id(1);
  std::string expires_at = "2026-11-20T10:05:00.000Z"; ///< after the requests of sample_request() arrive
  domain::uuid block_id = fresh_id();
};

/// Inserts the row without the checks of the code above the database.
inline void insert_hold(store::session& db, const hold_row& row) {
  const auto quoted = [](const std::string& value) { return "'" + value + "'"; };
  const auto last_night = row.last_night.empty()
                              ? domain::to_string(day(row.check_out.c_str()) - domain::days{1})
                              : row.last_night;
  db.internals().script(
      "hold", "insert into holds (platform, id, block_id, unit_id, external_id, check_in, check_out,"
              " last_night, minutes, created_at, expires_at) values (" +
                  quoted(row.platform) + ", " + quoted(row.id) + ", " +
                  quoted(domain::to_string(row.block_id)) + ", " + quoted(domain::to_string(row.unit)) +
                  ", " + quoted(row.external_id) + ", " + quoted(row.check_in) + ", " +
                  quoted(row.check_out) + ", " + quoted(last_night) + ", 10, '2026-11-20T09:55:00.000Z', " +
                  quoted(row.expires_at) + ")");
}

/// Ends all holds.
inline void end_holds(store::session& db) {
  db.internals().script("end_holds", "update holds set ended_at = '2026-11-20T09:59:00.000Z'");
}

} // namespace roost::testing
