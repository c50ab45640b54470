#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/change_stream.hpp"
#include "store/portfolio/import_changes.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roost::store {

/// What import_portfolio() takes from outside.
struct import_context {
  domain::timestamp now{};
  std::function<domain::uuid()> new_id;                              ///< ids for blocks that bring none
  std::function<void(std::size_t done, std::size_t total)> progress; ///< in units; may be empty
  /// SQLite takes a file of more units in pieces while a server runs: it has one write lock.
  std::size_t units_at_once = 500;
  /// Whether what the file leaves out may be removed or archived.
  bool allow_removals = false;
};

/// What an import did.
struct import_summary {
  std::size_t accounts = 0, properties = 0, units = 0; ///< in the file
  /// All that it did. A unit is changed when its updatedAt moves: also where only its booking windows are.
  change_counts counts;
  stream_point change{}; ///< that the import is

  std::size_t units_that_are(import_action what) const { return counts.count(what, portfolio_part::unit); }
};

struct import_result {
  std::vector<std::string>
      problems; ///< conflicts with other accounts of the store; if there are any, nothing was written
  /// What would have been removed or archived, which is not allowed: nothing was written.
  std::optional<change_counts> refused;
  import_summary summary;
};

} // namespace roost::store
