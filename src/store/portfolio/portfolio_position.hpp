#pragma once

#include "store/database/session.hpp"

#include <compare>
#include <cstdint>

namespace roost::store {

/// Where the portfolio stands. Both numbers are in one row, so that all changes have one order.
struct portfolio_position {
  std::int64_t version = 0; ///< change_version()
  std::int64_t edits = 0;   ///< changes of a single unit's terms, which decisions in flight may ignore

  friend bool operator==(const portfolio_position&, const portfolio_position&) = default;

  /// Whether somebody who has read the store as of here knows the change that led to `other`.
  bool covers(const portfolio_position& other) const {
    return version >= other.version && edits >= other.edits;
  }
};

portfolio_position current_position(session& db);

/// What only grows as long as the store is the same one. When any of it is less than it was, the store is
/// another: a backup was restored, or a copy that lagged behind was made the database.
struct store_progress {
  portfolio_position position;
  std::int64_t decided = 0; ///< booking requests

  bool is_before(const store_progress& known) const {
    return !position.covers(known.position) || decided < known.decided;
  }
};

store_progress current_progress(session& db);

/// Counts the edit of a unit, and returns the position that it leads to. It locks a row that every group of
/// decisions reads, until the end of its transaction.
portfolio_position count_edit(session& db);

} // namespace roost::store
