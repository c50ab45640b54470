#pragma once

#include "store/database/bulk.hpp"
#include "store/portfolio/import_context.hpp"
#include "store/portfolio/portfolio_stored.hpp"

#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

/// The steps of an import. Whatever a booking's foreign keys depend on (deleting a unit, changing a unique
/// name or key) is left to the last step. Until then decisions go on beside a long import, without deadlocks.
namespace roost::store {

using new_texts = std::vector<std::pair<domain::uuid, std::string>>;
using id_set = std::unordered_set<domain::uuid, domain::uuid_hash>;

/// The state of one import.
struct import_run {
  session& db;
  const import_context& with;
  import_summary summary{};

  new_texts landlord_keys{}; ///< of accounts that change theirs
  new_texts unit_names{};    ///< of units that change theirs
  std::vector<domain::uuid> left_out_units{}, left_out_properties{};
  id_set removed_units{}; ///< those of the left out that are not booked
  import_notes notes{};
};

/// Whether the import removes something that it may not.
inline bool must_refuse(const import_run& run) {
  return !run.with.allow_removals && run.notes.counts.any_removal();
}

/// Ends a writer of changes, and counts the rows that the database found changed.
inline void finish_changes(import_run& run, portfolio_part part, cell_writer& changed) {
  run.summary.counts.add(import_action::changed, part, static_cast<std::size_t>(changed.finish()));
}

using account_span = std::span<const domain::portfolio_account>;

std::vector<domain::uuid> ids_of(account_span accounts);

/// Accounts with their cards, users and usage records.
void import_accounts(import_run& run, account_span accounts);

/// Properties and units of these accounts, with all that belongs to a unit. `done` units were imported before
/// them.
void import_units(import_run& run, account_span accounts, std::size_t done);

/// Month rents, windows, blocks, links and exclusions of these accounts' units.
/// Units that are not new and whose own data that changes go to `touched`.
void import_details(import_run& run, account_span accounts, const by_id<stored_unit>& stored,
                    id_set& touched);

/// All steps but the last: rows that nobody reads before the change is noted.
void import_rows(import_run& run, account_span accounts);

/// Gives the unique names and keys that change.
void give_texts(import_run& run);

/// What the last step needs to know of an import.
struct import_end {
  domain::timestamp now{};
  std::vector<domain::uuid> accounts;
  std::vector<domain::uuid> left_out_units, left_out_properties;
};

/// Holds the rows that the last step removes or whose keys it changes, so that bookings on them wait for the
/// import's commit, or the import for theirs. Nobody waits while he holds what the other one needs. Throws
/// unavailable when bookings leave it no chance. SQLite has one writer.
void hold_keys(const import_run& run);

/// Removes or archives what was left out.
void drop_left_out(session& db, const import_end& end);

/// Notes the change: the last of all.
void note_import(session& db, const import_end& end, import_summary& summary);

} // namespace roost::store
