#pragma once

#include "domain/portfolio.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Imports of portfolios: their parameters, changes and results.
namespace roost::store {

enum class portfolio_part : std::uint8_t {
  account,
  card,
  user,
  property,
  unit,
  link,
  exclusion,
  calendar,
  window,
  month_rent,
  block,
  usage_record
};
inline constexpr std::size_t portfolio_parts = 12;

/// Returns the English name in the singular or plural: `unit`, `platform cards`.
std::string name_of(portfolio_part part, std::size_t count = 1);

enum class import_action : std::uint8_t {
  added,
  changed,
  removed,
  archived, ///< missing in the file, but booked
};
inline constexpr std::size_t import_actions = 4;

std::string_view to_string(import_action action);

/// One change, as decided by the steps of an import.
struct import_change {
  import_action action;
  portfolio_part part;
  /// The changed row's id. Rows without one have their unit's (cards: their account's), new blocks theirs,
  /// too.
  domain::uuid id{};
  /// Which row of the unit or account: a platform, a month or dates. Empty if only the order of the windows
  /// changes.
  std::string key{};
  std::string to{}; ///< the new dates of a changed window; the last night of a new block
};

/// Numbers of changes by action and part.
class change_counts {
public:
  void add(import_action action, portfolio_part part, std::size_t count = 1) { at(action, part) += count; }
  change_counts& operator+=(const change_counts& other);

  std::size_t count(import_action action, portfolio_part part) const {
    return counts_[static_cast<std::size_t>(action)][static_cast<std::size_t>(part)];
  }
  bool any(import_action action) const;
  /// Whether anything is removed or archived, which the caller has to allow.
  bool any_removal() const { return any(import_action::removed) || any(import_action::archived); }

  /// Returns `2 units, 1 link`, or an empty text.
  std::string text(import_action action) const;
  /// Returns `added: 2 units; removed: 1 link`, or an empty text.
  std::string text() const;

private:
  std::size_t& at(import_action action, portfolio_part part) {
    return counts_[static_cast<std::size_t>(action)][static_cast<std::size_t>(part)];
  }

  std::array<std::array<std::size_t, portfolio_parts>, import_actions> counts_{};
};

/// Collects the changes that the steps of an import decide. Changed rows with an id are not among them: the
/// database (import_summary) or the plan detects those.
struct import_notes {
  change_counts counts;
  change_counts office;       ///< rows that the office has changed, and that the file would set back
  bool keeps_changes = false; ///< true for a plan
  std::vector<import_change> changes;

  /// Rows with an id in the file are listed by the plan itself.
  void add_of_office(import_change change, bool has_no_id) {
    office.add(change.action, change.part);
    if (keeps_changes && has_no_id) changes.push_back(std::move(change));
  }

  void add(import_change change) {
    counts.add(change.action, change.part);
    if (keeps_changes) changes.push_back(std::move(change));
  }
};

/// The parameters of an import.
struct import_context {
  domain::timestamp now{};
  std::function<domain::uuid()> new_id;                              ///< creates ids for blocks without one
  std::function<void(std::size_t done, std::size_t total)> progress; ///< in units; may be empty
  /// On SQLite, which has one write lock, larger files are imported in pieces while a server runs.
  std::size_t max_units_at_once = 500;
  /// Whether rows that are missing in the file may be removed or archived.
  bool allow_removals = false;
  /// Whether the file sets back what the office has written. What the office created and the file omits
  /// stays.
  bool overwrite_office = false;
};

struct import_summary {
  /// In the file, with what the office created and without what it deleted.
  std::size_t accounts = 0, properties = 0, units = 0;
  /// All changes. A unit counts as changed if its updatedAt changes, even if only its booking windows differ.
  change_counts counts;
  stream_point change{}; ///< the import's position in the change stream
};

struct import_result {
  /// Conflicts with objects in the store that the file does not replace. If there are any, nothing was
  /// written.
  std::vector<std::string> problems;
  /// Removals that are not allowed. If set, nothing was written.
  std::optional<change_counts> refused;
  /// Changes of the office that the file would set back without permission. If set, nothing was written.
  std::optional<change_counts> refused_by_office;
  import_summary summary;
};

/// Upserts whole accounts by id in one transaction. Passwords must already be hashed: details.password_hash
/// is stored as it is.
///
/// Rows of an imported account that the file omits are removed: cards, users, links, exclusions, imported
/// calendars with their events, booking windows, month rents, and manual and channel blocks. Omitted units
/// and properties are removed, too, or archived if they have bookings, or blocks or calendars of the office.
/// Bookings, their blocks, tenants, keys, usage records and uploaded calendars stay. A block without an id
/// keeps the id and creation time of a stored one with the same nights, source and host.
///
/// What the office created stays, and what it deleted does not come back until a file has omitted it. A file
/// that would set back what the office has created or changed is refused, unless the context allows that.
///
/// On SQLite, large files are imported in pieces while a server runs (see import_in_pieces).
import_result import_portfolio(session& db, domain::portfolio file, const import_context& context);

/// Writes the rest of a pending import, if there is one: its process may have ended.
void write_pending_import(session& db);

/// The planned changes of one account.
struct planned_account {
  /// From the file, with what the office created and without what it deleted.
  const domain::portfolio_account& account;
  /// The stored account without usage records; nullopt if it is new.
  const std::optional<domain::portfolio_account>& stored;
  /// Everything that is added, removed or archived, and changes of rows without an id. Rows with the same id
  /// in both are written if they differ.
  const std::vector<import_change>& changes;
  /// Those among them that set back a change of the office, which the caller has to allow.
  const change_counts& office;
};

/// Calls `visit` with the changes that import_portfolio() would make to each account, without writing: runs
/// the import's steps on one snapshot of the store and discards their rows. Returns the conflicts with
/// objects in the store that the file does not replace; if there are any, `visit` is not called. Waits for a
/// pending import, and throws unavailable if that makes no progress.
std::vector<std::string> plan_import(session& db, domain::portfolio file, const import_context& context,
                                     const std::function<void(const planned_account&)>& visit);

} // namespace roost::store
