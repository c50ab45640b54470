#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace roost::store {

struct import_summary {
  std::size_t accounts = 0, properties = 0, units = 0; ///< in the file
  std::size_t new_units = 0, changed_units = 0;        ///< changed: in what moves a unit's updatedAt
  std::size_t removed_units = 0;                       ///< left out of the file, without bookings
  std::size_t archived_units = 0;                      ///< left out of the file, kept for their bookings
  std::int64_t version = 0;                            ///< what change_version() returns from now on
};

struct import_result {
  std::vector<std::string>
      problems; ///< conflicts with other accounts of the store; if there are any, nothing was written
  import_summary summary;
};

/// What import_portfolio() takes from outside.
struct import_context {
  domain::timestamp now{};
  std::function<domain::uuid()> new_id;                              ///< ids for blocks that bring none
  std::function<void(std::size_t done, std::size_t total)> progress; ///< in units; may be empty
};

/// Upserts whole accounts by id in one transaction. Passwords must have been hashed: details.password_hash is
/// what is stored.
///
/// What an imported account leaves out is removed: cards, users, links, exclusions, booking windows, month
/// rents and its manual and channel blocks. A unit or property that is left out is removed too, or archived
/// when there are bookings of it. Bookings, their blocks, tenants, keys and usage records stay. A block
/// without an id keeps the id and the creation time of a stored one with the same nights, source and host.
import_result import_portfolio(session& db, const domain::portfolio& file, const import_context& with);

} // namespace roost::store
