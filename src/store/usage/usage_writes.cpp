#include "store/usage/usage_writes.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/transaction.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <unordered_set>

namespace roost::store {

namespace {

/// How many records a transaction of an import adds, and the pause after it: a connection that waits for
/// SQLite's only write lock looks for it every 25 ms at first.
constexpr std::size_t records_a_piece = 500;
constexpr std::chrono::milliseconds pause_between_pieces{60};

constexpr auto ledger_columns =
    columns(column("account_id", &domain::ai_usage_record::account_id), usage_columns);
const record_table<domain::ai_usage_record> ledger = table_of<ledger_columns>("ai_usage");

const selection known_accounts{"known_accounts", "select {columns} from accounts where id in {ids uuid}",
                               named<domain::uuid>("id")};

using account_set = std::unordered_set<domain::uuid, domain::uuid_hash>;

account_set existing(session& db, std::span<const domain::uuid> accounts) {
  auto& connection = db.internals();
  const auto found = connection.read_all(known_accounts, {{"ids", connection.list(accounts)}});
  return {found.begin(), found.end()};
}

std::vector<domain::uuid> accounts_in(std::span<const domain::ai_usage_record> records) {
  account_set named;
  for (const auto& record : records)
    if (record.account_id) named.insert(*record.account_id);
  return {named.begin(), named.end()};
}

usage_written add(session& db, std::span<const domain::ai_usage_record> records) {
  const auto accounts = existing(db, accounts_in(records));
  usage_written done;
  bulk_writer rows(db, ledger, bulk_mode::insert_new);
  for (const auto& record : records) {
    if (record.account_id && !accounts.contains(*record.account_id))
      ++done.refused;
    else
      rows.add(record);
  }
  done.recorded = static_cast<std::size_t>(rows.finish());
  done.known = records.size() - done.refused - done.recorded;
  return done;
}

} // namespace

usage_written& usage_written::operator+=(const usage_written& more) {
  recorded += more.recorded;
  known += more.known;
  refused += more.refused;
  return *this;
}

usage_written record_usage(session& db, const lease& held, std::span<const domain::ai_usage_record> records) {
  write_transaction txn(db, held);
  const auto done = add(db, records);
  txn.commit();
  return done;
}

usage_written import_usage(session& db, std::span<const domain::ai_usage_record> records,
                           const std::function<void(std::size_t done)>& progress) {
  usage_written done;
  for (std::size_t start = 0; start < records.size(); start += records_a_piece) {
    const auto piece = records.subspan(start, std::min(records_a_piece, records.size() - start));
    {
      transaction txn(db, transaction::purpose::write);
      done += add(db, piece);
      txn.commit();
    }
    if (progress) progress(start + piece.size());
    if (db.is_sqlite() && start + piece.size() < records.size() && has_active_server(db))
      std::this_thread::sleep_for(pause_between_pieces);
  }
  return done;
}

std::vector<domain::uuid> unknown_accounts(session& db, std::span<const domain::uuid> accounts) {
  const auto known = existing(db, accounts);
  std::vector<domain::uuid> unknown;
  std::ranges::copy_if(accounts, std::back_inserter(unknown),
                       [&](const domain::uuid& id) { return !known.contains(id); });
  return unknown;
}

} // namespace roost::store
