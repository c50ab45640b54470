#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// One ordered stream of what changed in the store. Whatever changes what reads, lists or decisions rest on
/// writes an entry in its own transaction. The order of the positions is the order of the commits, and there
/// are no gaps.
namespace roost::store {

enum class change_kind {
  account,    ///< an account with everything of it: its settings, users, properties and units
  unit,       ///< the terms of units
  calendar,   ///< bookings, and through them the nights of units
  credentials ///< what lets partners and users in
};

std::string_view to_string(change_kind kind);

/// What one transaction changed.
struct change {
  change_kind kind = change_kind::credentials;
  std::vector<domain::uuid> accounts; ///< all that it concerns; of credentials: whose users
  std::vector<domain::uuid> units;    ///< of `unit`
  /// Of `calendar`: the bookings that were made or cancelled, whose rows name their units: ids are what an
  /// entry of hundreds of bookings costs. Of `credentials`: the sessions and connections
  /// that ended. Credentials with neither these nor accounts are tokens and keys.
  std::vector<domain::uuid> subjects;
};

/// Takes the next position. It must be the transaction's last statement that can wait: the row that it locks
/// is what all others need for their commits.
stream_point append(session& db, const change& made);

/// The same in a transaction of its own.
stream_point record_change(session& db, const change& made);

struct stream_entry {
  stream_point at;
  change what;
  domain::timestamp written_at{};
};

/// The entries after a position in their order, at most `most`.
std::vector<stream_entry> entries_after(session& db, std::int64_t position, std::size_t most);

/// The newest entry. In a transaction that reads, it is the position of its snapshot.
stream_point newest_point(session& db);

/// Where the stream stands, as somebody sees it who has followed it to a known point.
struct stream_view {
  stream_point newest;
  domain::timestamp written_at{}; ///< of the newest entry
  bool goes_on = false;           ///< false: the known entry is not in the store's history
  bool is_pruned = false;         ///< it may have been, but entries as old as it are deleted
};

stream_view view_stream(session& db, const stream_point& known);

/// Of these accounts, those that have entries of the kind `account` after `since`.
std::vector<domain::uuid> accounts_changed_since(session& db, std::int64_t since,
                                                 std::span<const domain::uuid> accounts);

/// The position of the newest entry that concerns accounts or the terms of units; 0 where there is none.
std::int64_t newest_portfolio_change(session& db);

/// The position that the running server serves, as it last recorded.
std::int64_t applied_position(session& db);

/// Records that the running server now serves `position`, so that a command can wait for it. Throws
/// lease_lost.
void mark_applied(session& db, const lease& held, std::int64_t position);

/// Deletes at most `most` entries that are older than `keep` by the database's clock, the oldest first and
/// never the newest one; returns how many. Throws lease_lost.
std::int64_t prune_changes(session& db, const lease& held, std::chrono::milliseconds keep, std::size_t most);

} // namespace roost::store
