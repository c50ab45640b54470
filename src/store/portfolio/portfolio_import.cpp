#include "store/portfolio/portfolio_import.hpp"

#include "store/database/transaction.hpp"
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

} // namespace

std::vector<domain::uuid> ids_of(account_span accounts) {
  std::vector<domain::uuid> ids;
  ids.reserve(accounts.size());
  for (const auto& account : accounts) ids.push_back(account.details.id);
  return ids;
}

import_result import_portfolio(session& db, const domain::portfolio& file, const import_context& with) {
  transaction within(db, transaction::purpose::write);
  db.internals().read_all(lock_imports);
  import_result result;
  result.problems = portfolio_conflicts(db, file);
  if (!result.problems.empty()) return result;

  const account_span all(file.accounts);
  import_run run{db, with, {}, {}, {}, {}, {}};
  run.summary.accounts = all.size();
  run.summary.units = unit_count(all);
  import_accounts(run, all);
  std::size_t done = 0;
  for (account_span rest = all; !rest.empty();) {
    const auto part = next_part(rest);
    import_units(run, part, done);
    done += unit_count(part);
    rest = rest.subspan(part.size());
  }
  finish_import(run, all);
  within.commit();
  result.summary = run.summary;
  return result;
}

} // namespace roost::store
