#pragma once

#include "domain/uuid.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/error.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// The state of the store on which an import is based, and the detection of later writes: neither the office
/// nor booking engines wait for an import (decision 60).
namespace roost::store {

/// How often an import starts over, because its basis is outdated, before it gives up.
inline constexpr int max_import_attempts = 5;
unavailable changed_too_often();

/// For an import in one transaction.
struct import_basis {
  std::int64_t position = 0; ///< of the change stream, before the import's first read
  std::vector<domain::uuid> accounts;
  /// Units that the office created and the file omits: the import writes the values that it has read.
  std::vector<domain::uuid> kept_units{};
};

/// Returns whether the office has written to these accounts, or any writer to the kept units, since the
/// position. Writes of bookings do not count: imports leave them alone.
bool is_outdated(session& db, const import_basis& basis);

/// For an import in pieces.
struct later_changes {
  bool has_own = false;      ///< of the file's accounts, by the office, too; or the entries are deleted
  bool may_conflict = false; ///< other accounts may have taken something that must be unique, such as a link
};

/// Returns the changes since a position of the stream.
later_changes changes_since(session& db, std::span<const domain::uuid> accounts, const stream_point& basis);

} // namespace roost::store
