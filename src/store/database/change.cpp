#include "store/database/change.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

const selection next_version{
    "next_version", "update portfolio_state set version = version + 1 where id = 1 returning {columns}",
    named<std::int64_t>("version")};

constexpr query mark_accounts{"mark_accounts",
                              "update accounts set changed_version = :version where id in {ids uuid}"};

} // namespace

std::int64_t bump_version(session& db) { return db.internals().read_one(next_version).value_or(0); }

std::int64_t count_change(session& db) {
  transaction within(db, transaction::purpose::write);
  const auto version = bump_version(db);
  within.commit();
  return version;
}

std::int64_t mark_changed(session& db, std::span<const domain::uuid> accounts) {
  const auto version = bump_version(db);
  auto& connection = db.internals();
  connection.write(mark_accounts, {{"ids", connection.list(accounts)}, {"version", to_cell(version)}});
  return version;
}

} // namespace roost::store
