#include "store/database/transaction.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/lease_held.hpp"

namespace roost::store {

namespace {

/// All at once: two round trips less for every group of decisions.
const selection state_of_store{
    "state_of_store",
    {"select {columns} from writer_lease l cross join portfolio_state s where l.id = 1 and s.id = 1"
     " for key share of l for share of s",
     "select {columns} from writer_lease l cross join portfolio_state s where l.id = 1 and s.id = 1"},
    is_lease_held,
    named<std::int64_t>("s.version"),
    named<std::int64_t>("cast((select sum(total) from request_totals) as bigint)")};

parameters holder(const lease& held) {
  return {{"node", to_cell(held.node)}, {"epoch", to_cell(held.epoch)}};
}

} // namespace

transaction::transaction(session& db, purpose wanted) : connection_(db.internals()) {
  connection_.begin(wanted == purpose::write ? session::connection::access::write
                                             : session::connection::access::snapshot);
}

transaction::~transaction() { connection_.rollback(); }

void transaction::commit() { connection_.commit(); }

/// SQLite has one writer: whoever begins to write knows that nobody else does.
settled_read::settled_read(session& db) : transaction_(db, transaction::purpose::write) {
  if (!db.is_sqlite()) db.internals().script("lock_timeout", "set local lock_timeout = '250ms'");
}

write_transaction::write_transaction(session& db, const lease& held)
    : transaction_(db, transaction::purpose::write) {
  if (!db.internals().read_one(lease_held, holder(held)).value_or(false)) throw lease_lost();
}

write_transaction::write_transaction(session& db, const lease& held, const decision_basis& basis)
    : transaction_(db, transaction::purpose::write) {
  bool ours = false;
  std::int64_t version = 0;
  db.internals().read(state_of_store, holder(held),
                      [&](bool is_held, std::int64_t of_store, std::int64_t decided) {
                        ours = is_held;
                        version = of_store;
                        decided_ = decided;
                      });
  if (!ours) throw lease_lost();
  if (version < basis.portfolio_version || decided_ < basis.decided)
    throw another_history("the store stands before what was read of it");
  if (version != basis.portfolio_version) throw stale_portfolio();
}

} // namespace roost::store
