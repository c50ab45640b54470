#pragma once

#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// The state of a store as a whole: unfinished copies and imports, moved stores, and the health of its
/// database.
namespace roost::store {

/// The marker of a store that another one is being copied into, or that such a copy left unfinished.
struct copy_marker {
  /// `differs`: a comparison found differences, so the copied data is unusable.
  enum class state { copying, differs };

  state now = state::copying;
  stream_point source;    ///< the newest change of the source when the copy began
  std::int64_t epoch = 0; ///< of the source's lease, as held by the last copy
};

std::optional<copy_marker> read_copy_marker(session& db);

/// Throws unfinished_copy.
void refuse_unfinished_copy(session& db);

/// The marker of a store that was copied into another one, which replaces it. No server takes its lease, so
/// that no night is sold once in each store.
struct move_marker {
  std::string target; ///< the other store's URL, without a password
  domain::timestamp at{};
  std::int64_t epoch = 0; ///< of the lease of the copy that moved it
};

std::optional<move_marker> read_move_marker(session& db);

/// Requires a transaction that holds the lease.
void write_move_marker(session& db, const std::string& target);

/// Lets servers take the lease again. Returns false if the store was not moved.
bool erase_move_marker(session& db);

/// Throws moved_store.
void refuse_moved_store(session& db);

/// Throws moved_store, or unavailable while the store is being copied: a change would be missing from the
/// copy. In a transaction, no copy can move the store before its end.
void refuse_while_copied(session& db);

/// Returns whether an import is pending: the portfolio tables are then incomplete. SQLite writes imports in
/// several transactions and marks them from the moment they are certain to complete until they are complete;
/// PostgreSQL uses one transaction and no marker.
bool is_import_pending(session& db);

/// Returns the number of the next step of the pending import, which increases while steps are written; 0 if
/// only the end is left, nullopt if no import is pending.
std::optional<std::int64_t> next_import_step(session& db);

/// Throws unavailable while an import is pending. In a transaction, no import can begin before its end.
void refuse_while_importing(session& db);

/// The health of the database, for an operator.
struct diagnosis {
  std::string version;                          ///< of the database
  std::string damage;                           ///< SQLite: the first finding of a file check; empty if none
  std::optional<std::int64_t> free_connections; ///< PostgreSQL: how many more connections it accepts
  bool is_durable = true;                       ///< PostgreSQL: whether commits are on disk when they return
  std::optional<std::string> file;              ///< SQLite: the path of the store's file
};

/// Reads the whole file of an SQLite store. Throws the errors of store/database/error.hpp.
diagnosis diagnose(session& db);

} // namespace roost::store
