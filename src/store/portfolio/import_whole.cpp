#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/lease.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/between_imports.hpp"
#include "store/portfolio/import_basis.hpp"
#include "store/portfolio/office_overlay.hpp"
#include "store/portfolio/portfolio_export.hpp"
#include "store/portfolio/portfolio_steps.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

namespace roost::store {

namespace {

/// Allows one import at a time. On SQLite, the write transaction already does.
const selection lock_imports{
    "lock_imports",
    {"select {columns} from (select pg_advisory_xact_lock(7266737402)) as locked", "select {columns}"},
    named<int>("1")};

/// Accounts are imported together up to this many units, so that small ones share statements.
constexpr std::size_t units_per_batch = 2000;

std::size_t unit_count(account_span accounts) {
  std::size_t count = 0;
  for (const auto& account : accounts)
    for (const auto& property : account.properties) count += property.units.size();
  return count;
}

/// Returns the first accounts that together have enough units, or all.
account_span next_batch(account_span accounts) {
  std::size_t taken = 0, units = 0;
  while (taken < accounts.size() && units < units_per_batch)
    units += unit_count(accounts.subspan(taken++, 1));
  return accounts.first(taken);
}

/// From this many units on, statistics matter: the first reads would be planned for empty tables.
constexpr std::size_t large_import = 5'000;

/// Does nothing on SQLite, which plans these reads better without statistics.
void gather_statistics(session::connection& connection) {
  if (connection.dialect() == dialect::postgresql)
    connection.script("analyze_portfolio", "analyze accounts, platform_cards, users, properties, units,"
                                           " unit_month_rents, booking_windows, links, exclusions, blocks");
}

const selection kept_units{"kept_units",
                           "select {columns} from (select unit_id from bookings where unit_id in {ids uuid}"
                           " union select unit_id from blocks where unit_id in {ids uuid} and by_office"
                           " union select c.unit_id from unit_calendars c where c.unit_id in {ids uuid}"
                           " and (c.url is null or exists (select 1 from office_changes o"
                           " where o.part = 'calendar' and o.id = c.id and o.state = 'created'))) as kept",
                           named<domain::uuid>("unit_id")};
const selection occupied_properties{"occupied_properties",
                                    "select {columns} from units where property_id in {ids uuid}",
                                    named<domain::uuid>("distinct property_id")};

std::vector<domain::uuid> read_ids(session& db, const selection<named<domain::uuid>>& rows,
                                   std::span<const domain::uuid> ids) {
  std::vector<domain::uuid> result;
  read_in_parts(db, rows, ids, [&](const domain::uuid& id) { result.push_back(id); });
  return result;
}

constexpr query erase_units{"erase_units", "delete from units where id in {ids uuid}"};
constexpr query erase_properties{"erase_properties", "delete from properties where id in {ids uuid}"};

/// Archives the rows `kept` and erases the others of `ids`.
void archive_or_erase(session& db, const std::vector<domain::uuid>& ids,
                      const std::vector<domain::uuid>& kept, const record_table<changed_row>& archived,
                      const query& erase, domain::timestamp now) {
  const id_set excluded(kept.begin(), kept.end());
  std::vector<domain::uuid> rest;
  std::ranges::copy_if(ids, std::back_inserter(rest), [&](const auto& id) { return !excluded.contains(id); });
  if (!rest.empty()) db.internals().write(erase, {{"ids", db.internals().list(rest)}});
  bulk_writer rows(db, archived, bulk_mode::update_changed);
  for (const auto& id : kept) rows.add({id, now});
  rows.finish();
}

/// Writes unique placeholders first, because two rows may swap their texts.
void write_texts(import_run& run, const record_table<text_row>& table, const new_texts& texts) {
  bulk_writer placeholders(run.db, table, bulk_mode::update_changed);
  bulk_writer final_texts(run.db, table, bulk_mode::update_changed);
  for (const auto& [id, text] : texts) placeholders.add({id, domain::to_string(id)});
  placeholders.finish();
  for (const auto& [id, text] : texts) final_texts.add({id, text});
  final_texts.finish();
}

const selection known_usage{"known_usage", "select {columns} from ai_usage where id in {ids uuid}",
                            named<domain::uuid>("id")};

/// Notes new usage records. The import skips known ones when it writes them.
void note_usage(session& db, const domain::portfolio_account& account, import_notes& notes) {
  std::vector<domain::uuid> ids;
  for (const auto& record : account.ai_usage) ids.push_back(record.id);
  const auto known = read_ids(db, known_usage, ids);
  const id_set known_ids(known.begin(), known.end());
  for (const auto& id : ids)
    if (!known_ids.contains(id)) notes.add({import_action::added, portfolio_part::usage_record, id});
}

} // namespace

std::vector<domain::uuid> units_to_keep(session& db, std::span<const domain::uuid> units) {
  return read_ids(db, kept_units, units);
}

bool must_refuse(const import_run& run, import_result& result) {
  using enum import_action;
  if (!run.context.allow_removals && run.notes.counts.any_removal()) result.refused = run.notes.counts;
  if (!run.context.overwrite_office && run.notes.office.any(changed))
    result.refused_by_office = run.notes.office;
  return result.refused || result.refused_by_office;
}

void remove_left_out(session& db, const import_end& end) {
  archive_or_erase(db, end.left_out_units, units_to_keep(db, end.left_out_units), tables::archived_units,
                   erase_units, end.now);
  archive_or_erase(db, end.left_out_properties, read_ids(db, occupied_properties, end.left_out_properties),
                   tables::archived_properties, erase_properties, end.now);
}

void write_unique_texts(import_run& run) {
  write_texts(run, tables::unit_names, run.unit_names);
  write_texts(run, tables::landlord_keys, run.landlord_keys);
}

void record_import(session& db, const import_end& end, import_summary& summary) {
  summary.change = append(db, {change_kind::account, end.accounts, {}, {}});
}

void import_rows(import_run& run, account_span accounts) {
  run.summary.accounts = accounts.size();
  run.summary.units = unit_count(accounts);
  import_accounts(run, accounts);
  std::size_t done = 0;
  for (account_span rest = accounts; !rest.empty();) {
    const auto batch = next_batch(rest);
    import_units(run, batch, done);
    done += unit_count(batch);
    rest = rest.subspan(batch.size());
  }
}

std::vector<domain::uuid> ids_of(account_span accounts) {
  std::vector<domain::uuid> ids;
  ids.reserve(accounts.size());
  for (const auto& account : accounts) ids.push_back(account.details.id);
  return ids;
}

namespace {

/// If only some of the rows can be locked, these locks are released before the next attempt: a transaction
/// that holds the others may wait for them.
constexpr std::chrono::milliseconds lock_retry{10};
constexpr std::chrono::seconds lock_timeout{10};

const selection lock_units{"lock_units",
                           "select {columns} from units where id in {ids uuid} for update skip locked",
                           named<int>("1")};
const selection lock_accounts{"lock_accounts",
                              "select {columns} from accounts where id in {ids uuid} for update skip locked",
                              named<int>("1")};

/// Those that the import changes or removes, and those of units that it removes.
const selection lock_calendars_of_units{
    "lock_calendars_of_units",
    "select {columns} from unit_calendars where unit_id in {ids uuid} for update skip locked",
    named<int>("1")};
const selection count_calendars_of_units{"count_calendars_of_units",
                                         "select {columns} from unit_calendars where unit_id in {ids uuid}",
                                         named<std::int64_t>("count(*)")};

bool locks_all_calendars(session::connection& connection, const std::vector<domain::uuid>& units) {
  const parameters of_units{{"ids", connection.list(units)}};
  const auto locked = connection.read_all(lock_calendars_of_units, of_units).size();
  return connection.read_one(count_calendars_of_units, of_units) == static_cast<std::int64_t>(locked);
}

bool locks_all(session::connection& connection, const selection<named<int>>& lock,
               const std::vector<domain::uuid>& ids) {
  return ids.empty() || connection.read_all(lock, {{"ids", connection.list(ids)}}).size() == ids.size();
}

std::vector<domain::uuid> ids_in(const new_texts& texts) {
  std::vector<domain::uuid> ids;
  for (const auto& [id, text] : texts) ids.push_back(id);
  return ids;
}

/// Locks the rows that the last step removes or whose keys it changes, and calendars. Bookings and calendar
/// readings on them then wait for the import's commit, or the import for theirs; the import never waits while
/// it holds some of the locks.
/// Returns false if the basis is outdated: the office may have deleted such a row. Throws unavailable if
/// bookings keep it from getting all of them. Does nothing on SQLite, which has one writer.
bool lock_keys(const import_run& run, const import_basis& basis) {
  auto& connection = run.db.internals();
  if (connection.dialect() == dialect::sqlite) return true;
  const auto accounts = ids_in(run.landlord_keys), renamed_units = ids_in(run.unit_names);
  id_set affected_units(run.left_out_units.begin(), run.left_out_units.end());
  affected_units.insert(renamed_units.begin(), renamed_units.end());
  const std::vector<domain::uuid> units(affected_units.begin(), affected_units.end());
  affected_units.insert(run.calendars.units.begin(), run.calendars.units.end());
  const std::vector<domain::uuid> units_of_calendars(affected_units.begin(), affected_units.end());
  const auto give_up = std::chrono::steady_clock::now() + lock_timeout;
  for (;;) {
    connection.script("begin_lock", "savepoint lock_keys");
    if (locks_all(connection, lock_accounts, accounts) && locks_all(connection, lock_units, units) &&
        locks_all_calendars(connection, units_of_calendars))
      return true;
    connection.script("end_lock", "rollback to savepoint lock_keys");
    if (is_outdated(run.db, basis)) return false;
    if (std::chrono::steady_clock::now() > give_up)
      throw unavailable("units that the import removes or renames are being booked all the time");
    std::this_thread::sleep_for(lock_retry);
  }
}

/// Returns nullopt, having written nothing, if the basis is outdated; completes it before it reads the store.
std::optional<import_result> import_at_once(session& db, domain::portfolio& file,
                                            const import_context& context, import_basis& basis) {
  transaction_between_imports txn(db, transaction::purpose::write);
  db.internals().read_all(lock_imports);
  basis.position = newest_point(db).position;
  const office_overlay overlay(db, file, context);
  basis.kept_units = overlay.kept_units();
  const auto unless_outdated = [&](import_result result) {
    return is_outdated(db, basis) ? std::nullopt : std::optional(std::move(result));
  };
  import_result result;
  result.problems = overlay.problems();
  if (!result.problems.empty()) return unless_outdated(std::move(result));
  import_run run{db, context};
  overlay.note_conflicts(run.notes, file.accounts);
  import_rows(run, file.accounts);
  if (must_refuse(run, result)) return unless_outdated(std::move(result));
  if (run.summary.units >= large_import) gather_statistics(db.internals());
  if (!lock_keys(run, basis)) return std::nullopt;
  const import_end end{context.now, basis.accounts, run.left_out_units, run.left_out_properties};
  remove_left_out(db, end);
  write_unique_texts(run);
  end_links(run);
  write_calendars(run);
  renew_hosts(db, basis.accounts);
  record_import(db, end, run.summary);
  refuse_while_copied(db); // a copy may have moved the store since the command began
  if (is_outdated(db, basis)) return std::nullopt;
  overlay.forget_marks(db);
  txn.commit();
  result.summary = run.summary;
  result.summary.counts += run.notes.counts;
  return result;
}

} // namespace

import_result import_portfolio(session& db, domain::portfolio file, const import_context& context) {
  if (db.is_sqlite() && unit_count(file.accounts) > context.max_units_at_once && has_active_server(db))
    return import_in_pieces(db, file, context);
  for (int i = 0; i < max_import_attempts; ++i) {
    import_basis basis{0, ids_of(file.accounts)};
    try {
      if (auto result = import_at_once(db, file, context, basis)) return *std::move(result);
    } catch (const constraint_violated&) { // the office may have taken a name that the file has, too
      if (!is_outdated(db, basis)) throw;
    }
  }
  throw changed_too_often();
}

std::vector<std::string> plan_import(session& db, domain::portfolio file, const import_context& context,
                                     const std::function<void(const planned_account&)>& visit) {
  transaction_between_imports txn(db, transaction::purpose::read);
  const office_overlay overlay(db, file, context);
  if (!overlay.problems().empty()) return overlay.problems();
  for (const auto& account : file.accounts) {
    std::optional<domain::portfolio_account> stored;
    if (auto found = read_account(db, account.details.id)) stored = std::move(found->account);
    import_run run{db, context};
    run.notes.keeps_changes = true;
    overlay.note_conflicts(run.notes, {&account, 1});
    {
      const diverted_rows discarded(db, [](const auto&...) {});
      import_rows(run, {&account, 1});
    }
    note_usage(db, account, run.notes);
    visit({account, stored, run.notes.changes, run.notes.office});
  }
  txn.commit();
  return {};
}

} // namespace roost::store
