#include "store/database/transaction.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

/// All at once: two round trips less for every group of decisions.
const selection state_of_store{
    "state_of_store",
    {"select {columns} from writer_lease l cross join change_stream s where l.id = 1 and s.id = 1"
     " for key share of l",
     "select {columns} from writer_lease l cross join change_stream s where l.id = 1 and s.id = 1"},
    is_lease_held,
    named<std::int64_t>("s.position"),
    named<bool>("exists (select 1 from changes where position = :basis and changes.id = :basis_id)")};

parameters holder(const lease& held) {
  return {{"node", to_cell(held.node)}, {"epoch", to_cell(held.epoch)}};
}

} // namespace

transaction::transaction(session& db, purpose wanted) : connection_(db.internals()), purpose_(wanted) {
  connection_.begin(wanted == purpose::write ? session::connection::access::write
                                             : session::connection::access::snapshot);
}

transaction::~transaction() { connection_.rollback(); }

void transaction::commit() {
  if (purpose_ == purpose::read) return connection_.commit();
  if (const auto& more = connection_.run_with_next_commit()) more();
  connection_.commit();
  connection_.set_with_next_commit({});
}

/// SQLite has one writer: whoever begins to write knows that nobody else does.
settled_read::settled_read(session& db) : transaction_(db, transaction::purpose::write) {
  if (!db.is_sqlite()) db.internals().script("lock_timeout", "set local lock_timeout = '250ms'");
}

write_transaction::write_transaction(session& db, const lease& held)
    : transaction_(db, transaction::purpose::write) {
  if (!db.internals().read_one(lease_held, holder(held)).value_or(false)) throw lease_lost();
}

write_transaction::write_transaction(session& db, const lease& held, const stream_point& basis)
    : transaction_(db, transaction::purpose::write) {
  auto with = holder(held);
  with.emplace_back("basis", to_cell(basis.position));
  with.emplace_back("basis_id", to_cell(basis.id));
  bool ours = false, goes_on = false;
  db.internals().read(state_of_store, with, [&](bool is_held, std::int64_t position, bool has_basis) {
    ours = is_held;
    position_ = position;
    goes_on = has_basis;
  });
  if (!ours) throw lease_lost();
  if (!goes_on || position_ < basis.position)
    throw another_history("the store's history is not the one that was read");
}

} // namespace roost::store
