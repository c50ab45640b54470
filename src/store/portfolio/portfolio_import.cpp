#include "store/portfolio/portfolio_import.hpp"

#include "store/database/lease.hpp"
#include "store/database/store_state.hpp"
#include "store/database/transaction.hpp"
#include "store/portfolio/import_pieces.hpp"
#include "store/portfolio/portfolio_conflicts.hpp"
#include "store/portfolio/portfolio_steps.hpp"

namespace roost::store {

namespace {

/// One import at a time. In SQLite the write transaction itself sees to that.
const selection lock_imports{
    "lock_imports",
    {"select {columns} from (select pg_advisory_xact_lock(7266737402)) as locked", "select {columns}"},
    named<int>("1")};

/// Accounts are taken together until they have so many units: small accounts then share their statements.
constexpr std::size_t units_a_part = 2000;

std::size_t unit_count(const domain::portfolio_account& account) {
  std::size_t count = 0;
  for (const auto& property : account.properties) count += property.units.size();
  return count;
}

std::size_t unit_count(account_span accounts) {
  std::size_t count = 0;
  for (const auto& account : accounts) count += unit_count(account);
  return count;
}

/// The first accounts that together have enough units, or all.
account_span next_part(account_span accounts) {
  std::size_t taken = 0, units = 0;
  while (taken < accounts.size() && units < units_a_part) units += unit_count(accounts[taken++]);
  return accounts.first(taken);
}

/// From this many units on it matters that the first reads are not planned for empty tables.
constexpr std::size_t large_import = 5'000;

/// SQLite needs no statistics: it plans these reads better without them.
void gather_statistics(session::connection& connection) {
  if (connection.dialect() == dialect::postgresql)
    connection.script("analyze_portfolio", "analyze accounts, platform_cards, users, properties, units,"
                                           " unit_month_rents, booking_windows, links, exclusions, blocks");
}

} // namespace

void import_rows(import_run& run, account_span accounts) {
  run.summary.accounts = accounts.size();
  run.summary.units = unit_count(accounts);
  import_accounts(run, accounts);
  std::size_t done = 0;
  for (account_span rest = accounts; !rest.empty();) {
    const auto part = next_part(rest);
    import_units(run, part, done);
    done += unit_count(part);
    rest = rest.subspan(part.size());
  }
}

std::vector<domain::uuid> ids_of(account_span accounts) {
  std::vector<domain::uuid> ids;
  ids.reserve(accounts.size());
  for (const auto& account : accounts) ids.push_back(account.details.id);
  return ids;
}

import_result import_portfolio(session& db, const domain::portfolio& file, const import_context& with) {
  if (db.is_sqlite() && unit_count(file.accounts) > with.units_at_once && has_active_server(db))
    return import_in_pieces(db, file, with);
  if (db.is_sqlite()) write_pending_import(db);
  transaction txn(db, transaction::purpose::write);
  refuse_while_importing(db);
  db.internals().read_all(lock_imports);
  import_result result;
  result.problems = portfolio_conflicts(db, file);
  if (!result.problems.empty()) return result;
  import_run run{db, with};
  import_rows(run, file.accounts);
  if (must_refuse(run)) {
    result.refused = run.notes.counts;
    return result;
  }
  if (run.summary.units >= large_import) gather_statistics(db.internals());
  const import_end end{with.now, ids_of(file.accounts), run.left_out_units, run.left_out_properties};
  hold_keys(run);
  drop_left_out(db, end);
  give_texts(run);
  note_import(db, end, run.summary);
  txn.commit();
  result.summary = run.summary;
  result.summary.counts += run.notes.counts;
  return result;
}

} // namespace roost::store
