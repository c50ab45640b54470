#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// The ordered stream of changes to the store. Every transaction that changes data used by reads, lists or
/// decisions writes an entry. Positions follow the order of commits, without gaps.
namespace roost::store {

enum class change_kind {
  account,     ///< a whole account: its settings, users, properties and units
  unit,        ///< the terms of units
  calendar,    ///< bookings and holds, and thereby the nights of units
  credentials, ///< the credentials and sessions of partners and users
  tenant,      ///< the details of tenants
  payment      ///< payments received
};

inline constexpr std::array<std::string_view, 6> change_kind_names{"account",     "unit",   "calendar",
                                                                   "credentials", "tenant", "payment"};
constexpr const auto& names_of(change_kind) { return change_kind_names; }

/// A resource that the event streams of the office name.
struct shown_resource {
  domain::uuid id{};
  /// The owner whose users see it; nullopt: only users without an owner, who see all properties.
  std::optional<domain::uuid> owner_id;

  friend bool operator==(const shown_resource&, const shown_resource&) = default;
};
using shown_resources = std::vector<shown_resource>;

/// The changes of one transaction.
struct change {
  change_kind kind = change_kind::credentials;
  std::vector<domain::uuid> accounts; ///< all affected accounts; for `credentials`, those of the users
  /// For `unit`. For `account`, the units that a write of the office affects, also through their property;
  /// empty if it may affect all units. For `calendar`, the units that a booking was moved from and to;
  /// without `subjects`, the units whose holds began or ended. For `tenant` and `payment`, the units of the
  /// stays.
  std::vector<domain::uuid> units;
  /// For `calendar`, the bookings that were created, changed or cancelled; their rows name the units, which
  /// keeps entries of hundreds of bookings small. For `unit`, what the office changed: the only unit, or a
  /// resource of it. For `credentials`, the sessions and connections that ended; an entry with neither these
  /// nor accounts concerns tokens and keys. For `account`, the properties that got units, if nothing that
  /// existed before has changed. For `tenant`, the tenants. For `payment`, the payments and their bookings.
  std::vector<domain::uuid> subjects;
  /// What event streams name, with the owners at the time of the change, if that does not follow from the
  /// other members when the entry is read: something was deleted, moved to another owner, or is not one of
  /// them. Empty if the event of a later entry of the same transaction includes it. Memory ignores it.
  std::optional<shown_resources> shown = {};
};

/// Takes the next position. Must be the last statement of the transaction that can wait, because it locks the
/// row that all other transactions need for their commits.
stream_point append(session& db, const change& change);

/// Takes the next positions, in the order of the changes, in one statement on PostgreSQL.
std::vector<stream_point> append_all(session& db, std::span<const change> changes);

/// Waits for transactions that have taken a position, and makes later ones wait for the end of this one.
/// Returns the newest position.
std::int64_t lock_stream(session& db);

/// Appends a change in its own transaction.
stream_point record_change(session& db, const change& change);

struct stream_entry {
  stream_point at;
  store::change change;
  domain::timestamp written_at{};
};

/// Returns the entries after a position, in order, at most `max_entries`.
std::vector<stream_entry> entries_after(session& db, std::int64_t position, std::size_t max_entries);

/// Returns the newest entry. In a read transaction, this is the position of the snapshot.
stream_point newest_point(session& db);

/// The state of the stream, relative to a point that a follower has reached.
struct stream_view {
  stream_point newest;
  domain::timestamp written_at{}; ///< of the newest entry
  bool has_known_point = false;   ///< whether the follower's entry is in the store's history
  bool is_pruned = false;         ///< whether entries as old as the follower's have been deleted
};

stream_view view_stream(session& db, const stream_point& known);

/// Returns those of the accounts that have entries of the kind `account` or `tenant` after `since`. Entries
/// that only added units do not count: they invalidate no decision about existing units, except property
/// matches (decision_basis).
std::vector<domain::uuid> accounts_changed_since(session& db, std::int64_t since,
                                                 std::span<const domain::uuid> accounts);

/// Returns the position of the newest entry of the kind `account` or `unit`; 0 if there is none.
std::int64_t newest_portfolio_change(session& db);

/// Returns the entries after a position that are of the kind `account` or `unit`, in order.
std::vector<stream_entry> portfolio_changes_since(session& db, std::int64_t position);

/// Returns the position that the running server last recorded as served.
std::int64_t applied_position(session& db);

/// Records that the running server serves `position`, which commands wait for. Throws lease_lost.
void mark_applied(session& db, const lease& held, std::int64_t position);

/// Deletes up to `max_entries` entries older than `max_age` by the database's clock, oldest first and never
/// the newest one; returns the number deleted. Throws lease_lost.
std::int64_t prune_changes(session& db, const lease& held, std::chrono::milliseconds max_age,
                           std::size_t max_entries);

} // namespace roost::store
