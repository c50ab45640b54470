#pragma once

#include "domain/portfolio.hpp"
#include "store/database/bulk.hpp"
#include "store/portfolio/office_marks.hpp"
#include "store/portfolio/portfolio_import.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// The steps of an import, and their reads. Everything that foreign keys of bookings depend on (deleting a
/// unit, changing a unique name or key) happens in the last step, so decisions continue without deadlocks
/// during a long import.
namespace roost::store {

using account_span = std::span<const domain::portfolio_account>;

/// A unit that the store already holds. Units created by a platform stay when a file omits them (Partner API,
/// Property creation).
struct stored_unit {
  domain::uuid account_id{}, property_id{};
  std::string internal_name;
  bool from_platform = false; ///< its property is
  bool archived = false;
};

/// Returns the units that have bookings of any status, or blocks or calendars of the office: imports do not
/// remove them.
std::vector<domain::uuid> units_to_keep(session& db, std::span<const domain::uuid> units);

/// Calls `each` with each unit, its account and its property.
template <typename Each>
void for_each_unit(account_span accounts, Each each) {
  for (const auto& account : accounts)
    for (const auto& property : account.properties)
      for (const auto& unit : property.units) each(unit, account.details.id, property.details.id);
}

/// Diverts the rows of all bulk writers during its lifetime.
class diverted_rows {
public:
  diverted_rows(session& db, session::connection::row_sink sink) : connection_(db.internals()) {
    connection_.divert_rows(std::move(sink));
  }
  ~diverted_rows() { connection_.divert_rows({}); }
  diverted_rows(const diverted_rows&) = delete;
  diverted_rows& operator=(const diverted_rows&) = delete;

private:
  session::connection& connection_;
};

// The steps

/// How the import of a file differs from the file because of what the office has written (office_overlay).
struct office_effects {
  /// What the file has and the office deleted.
  std::set<mark_key> dropped{};
  // What the office created and the file omits. Of links, only those of the file's units.
  std::vector<const domain::user*> kept_users{};
  std::vector<std::pair<domain::uuid, const domain::portfolio_unit*>> kept_units{}; ///< with their accounts
  std::vector<std::pair<domain::uuid, const domain::link*>> kept_links{};           ///< with their accounts
  by_id<std::size_t> kept_calendars{}; ///< their numbers, by unit of the file

  bool drops(office_part part, const domain::uuid& id, const std::string& platform = {}) const {
    return !dropped.empty() && dropped.contains({part, id, platform});
  }
};

/// Returns the file's conflicts with objects that the import does not replace: those of other accounts, of
/// platforms, and kept ones of the office. Each has the form `JSON pointer: problem`.
std::vector<std::string> portfolio_conflicts(session& db, const domain::portfolio& file,
                                             const office_effects& effects = {});

/// How calendars change. The last step writes them: readings of calendars and cancellations lock them.
struct calendar_changes {
  struct added_calendar {
    domain::uuid unit_id{};
    domain::imported_calendar calendar;
    std::int64_t revision = 0; ///< more than that of a stored one that moves
  };
  struct changed_calendar {
    domain::imported_calendar before, after;
    std::int64_t revision = 0; ///< the stored one
  };

  std::vector<added_calendar> added{};
  std::vector<changed_calendar> changed{};
  std::vector<domain::uuid> removed{};
  std::vector<domain::uuid> units{}; ///< with changed or removed ones
};

using new_texts = std::vector<std::pair<domain::uuid, std::string>>;

/// The state of one import.
struct import_run {
  session& db;
  const import_context& context;
  import_summary summary{};

  new_texts landlord_keys{}; ///< by account, of those whose key changes
  new_texts unit_names{};    ///< by unit, of those whose name changes
  std::vector<domain::uuid> left_out_units{}, left_out_properties{};
  id_set removed_units{};                                          ///< the left-out units without bookings
  std::vector<std::pair<domain::uuid, std::string>> ended_links{}; ///< unit and platform; to be deleted last
  calendar_changes calendars{};
  import_notes notes{};
};

/// Returns whether the import would remove something, or set back a change of the office, without permission.
/// Then `result` says which.
bool must_refuse(const import_run& run, import_result& result);

/// Flushes a writer of changes, and counts the rows that the database reports as changed.
inline void finish_changes(import_run& run, portfolio_part part, cell_writer& changed) {
  run.summary.counts.add(import_action::changed, part, static_cast<std::size_t>(changed.finish()));
}

std::vector<domain::uuid> ids_of(account_span accounts);

/// Imports accounts with their cards, users and usage records.
void import_accounts(import_run& run, account_span accounts);

/// Imports the accounts' properties and units with their details. `done` is the number of units imported
/// before.
void import_units(import_run& run, account_span accounts, std::size_t done);

/// Imports month rents, windows, blocks, links and exclusions of the accounts' units. Adds existing units
/// whose updatedAt must change to `touched`.
void import_details(import_run& run, account_span accounts, const by_id<stored_unit>& stored,
                    id_set& touched);

/// Collects the changes of the calendars of the accounts' units.
void compare_calendars(import_run& run, account_span accounts, const stored_details& stored);

/// Writes the collected changes of calendars; a part of the last step. The blocks of their events follow with
/// renew_hosts().
void write_calendars(import_run& run);

/// Gives the blocks of the accounts' calendars the hosts that their calendars have now.
void renew_hosts(session& db, std::span<const domain::uuid> accounts);

/// Deletes the links of units in the file that end without being replaced; a part of the last step.
void end_links(import_run& run);

/// Runs all steps but the last. Servers do not read these rows before the change is recorded.
void import_rows(import_run& run, account_span accounts);

/// Writes the unique names and keys that change.
void write_unique_texts(import_run& run);

/// The input of an import's last step.
struct import_end {
  domain::timestamp now{};
  std::vector<domain::uuid> accounts;
  std::vector<domain::uuid> left_out_units, left_out_properties;
};

/// Removes or archives the units and properties that the file omits.
void remove_left_out(session& db, const import_end& end);

/// Appends the import to the change stream, whose lock the transaction then holds until its end: only checks,
/// and writes that need this lock, may follow.
void record_import(session& db, const import_end& end, import_summary& summary);

/// Imports a file into SQLite without holding its only write lock for long. Stores the rows as steps, which
/// servers do not read. If the file's accounts have not changed in the meantime, one commit makes the steps
/// pending: from then on the import takes place, whichever process writes it. Then writes the steps in short
/// transactions with pauses between them; the last one records the change. Servers load nothing before that,
/// and no decision depends on it.
///
/// One such import runs at a time; others wait for it, and throw unavailable after ten minutes. While an
/// import is pending, other writes of the portfolio fail (refuse_while_importing), except imports, which
/// write its rest first (transaction_between_imports).
import_result import_in_pieces(session& db, domain::portfolio& file, const import_context& context);

} // namespace roost::store
