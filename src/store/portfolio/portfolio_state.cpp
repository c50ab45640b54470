#include "store/portfolio/portfolio_state.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

const selection read_version{"read_version", "select {columns} from portfolio_state where id = 1",
                             named<std::int64_t>("version")};
const selection read_applied{"read_applied", "select {columns} from portfolio_state where id = 1",
                             named<std::int64_t>("applied_version")};
constexpr query write_applied{"write_applied",
                              "update portfolio_state set applied_version = :version where id = 1"};

std::int64_t one_number(session& db, const selection<named<std::int64_t>>& of) {
  return db.internals().read_one(of).value_or(0);
}

} // namespace

std::int64_t change_version(session& db) { return one_number(db, read_version); }

std::int64_t applied_version(session& db) { return one_number(db, read_applied); }

void mark_applied(session& db, const lease& held, std::int64_t version) {
  write_transaction within(db, held);
  db.internals().write(write_applied, {{"version", to_cell(version)}});
  within.commit();
}

} // namespace roost::store
