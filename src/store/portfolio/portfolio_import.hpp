#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"
#include "store/portfolio/import_changes.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roost::store {

/// Upserts whole accounts by id in one transaction. Passwords must already be hashed: details.password_hash
/// is stored as it is.
///
/// Rows of an imported account that the file omits are removed: cards, users, links, exclusions, booking
/// windows, month rents, and manual and channel blocks. Omitted units and properties are removed, too, or
/// archived if they have bookings. Bookings, their blocks, tenants, keys and usage records stay. A block
/// without an id keeps the id and creation time of a stored one with the same nights, source and host.
///
/// On SQLite, large files are imported in pieces while a server runs (see import_in_pieces).
import_result import_portfolio(session& db, const domain::portfolio& file, const import_context& context);

/// Writes the rest of a pending import, if there is one: its process may have ended.
void write_pending_import(session& db);

/// The planned changes of one account.
struct planned_account {
  const domain::portfolio_account& account; ///< from the file
  /// The stored account without usage records; nullopt if it is new.
  const std::optional<domain::portfolio_account>& stored;
  /// Everything that is added, removed or archived, and changes of rows without an id. Rows with the same id
  /// in both are written if they differ.
  const std::vector<import_change>& changes;
};

/// Calls `visit` with the changes that import_portfolio() would make to each account, without writing: runs
/// the import's steps on one snapshot of the store and discards their rows. Returns the conflicts with other
/// accounts in the store; if there are any, `visit` is not called. Throws unavailable while an import is
/// pending.
std::vector<std::string> plan_import(session& db, const domain::portfolio& file,
                                     const import_context& context,
                                     const std::function<void(const planned_account&)>& visit);

} // namespace roost::store
