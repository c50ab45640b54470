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

/// The number of records per transaction of an import, and the pause after each transaction: a connection
/// that waits for SQLite's single write lock initially retries every 25 ms.
constexpr std::size_t batch_size = 500;
constexpr std::chrono::milliseconds batch_pause{60};

constexpr auto ledger_columns =
    columns(column("account_id", &domain::ai_usage_record::account_id), usage_columns);
const auto ledger = table_of<ledger_columns>("ai_usage");

const selection known_accounts{"known_accounts", "select {columns} from accounts where id in {ids uuid}",
                               named<domain::uuid>("id")};

using account_set = std::unordered_set<domain::uuid, domain::uuid_hash>;

account_set existing_accounts(session& db, std::span<const domain::uuid> accounts) {
  auto& connection = db.internals();
  const auto ids = connection.read_all(known_accounts, {{"ids", connection.list(accounts)}});
  return {ids.begin(), ids.end()};
}

std::vector<domain::uuid> accounts_in(std::span<const domain::ai_usage_record> records) {
  account_set accounts;
  for (const auto& record : records)
    if (record.account_id) accounts.insert(*record.account_id);
  return {accounts.begin(), accounts.end()};
}

usage_written add(session& db, std::span<const domain::ai_usage_record> records) {
  const auto accounts = existing_accounts(db, accounts_in(records));
  usage_written written;
  bulk_writer rows(db, ledger, bulk_mode::insert_new);
  for (const auto& record : records) {
    if (record.account_id && !accounts.contains(*record.account_id))
      ++written.refused;
    else
      rows.add(record);
  }
  written.recorded = static_cast<std::size_t>(rows.finish());
  written.known = records.size() - written.refused - written.recorded;
  return written;
}

} // namespace

usage_written record_usage(session& db, const lease& held, std::span<const domain::ai_usage_record> records) {
  write_transaction txn(db, held);
  const auto written = add(db, records);
  txn.commit();
  return written;
}

usage_written import_usage(session& db, std::span<const domain::ai_usage_record> records,
                           const std::function<void(std::size_t processed)>& progress) {
  usage_written written;
  for (std::size_t start = 0; start < records.size(); start += batch_size) {
    const auto batch = records.subspan(start, std::min(batch_size, records.size() - start));
    {
      transaction txn(db, transaction::purpose::write);
      written += add(db, batch);
      txn.commit();
    }
    if (progress) progress(start + batch.size());
    if (db.is_sqlite() && start + batch.size() < records.size() && has_active_server(db))
      std::this_thread::sleep_for(batch_pause);
  }
  return written;
}

std::vector<domain::uuid> unknown_accounts(session& db, std::span<const domain::uuid> accounts) {
  const auto known = existing_accounts(db, accounts);
  std::vector<domain::uuid> unknown;
  std::ranges::copy_if(accounts, std::back_inserter(unknown),
                       [&](const domain::uuid& id) { return !known.contains(id); });
  return unknown;
}

} // namespace roost::store
