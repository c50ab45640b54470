#include "store/database/transaction.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/lease_held.hpp"

namespace roost::store {

namespace {

/// Both rows at once: a round trip less for every group of decisions.
const selection lease_held_and_version{
    "lease_held_and_version",
    {"select {columns} from writer_lease l cross join portfolio_state s where l.id = 1 and s.id = 1"
     " for key share of l for share of s",
     "select {columns} from writer_lease l cross join portfolio_state s where l.id = 1 and s.id = 1"},
    is_lease_held,
    named<std::int64_t>("s.version")};

} // namespace

transaction::transaction(session& db, purpose wanted) : connection_(db.internals()) {
  connection_.begin(wanted == purpose::write ? session::connection::access::write
                                             : session::connection::access::snapshot);
}

transaction::~transaction() { connection_.rollback(); }

void transaction::commit() { connection_.commit(); }

write_transaction::write_transaction(session& db, const lease& held,
                                     std::optional<std::int64_t> portfolio_version)
    : transaction_(db, transaction::purpose::write) {
  const parameters with{{"node", to_cell(held.node)}, {"epoch", to_cell(held.epoch)}};
  bool ours = false;
  std::int64_t version = 0;
  if (portfolio_version)
    db.internals().read(lease_held_and_version, with, [&](bool is_held, std::int64_t of_store) {
      ours = is_held;
      version = of_store;
    });
  else
    ours = db.internals().read_one(lease_held, with).value_or(false);
  if (!ours) throw lease_lost();
  if (portfolio_version && version != *portfolio_version) throw stale_portfolio();
}

} // namespace roost::store
