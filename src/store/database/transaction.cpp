#include "store/database/transaction.hpp"

#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/database/error.hpp"

namespace roost::store {

namespace {

/// Whether a node holds the lease in an epoch, which then stays true until the end of the transaction. The
/// key share lock blocks a takeover, which locks the row for update, but not a renewal, which changes no key:
/// a transaction that waits must not make its own server lose the lease.
constexpr named<bool> is_lease_held{
    "coalesce(node = :node and epoch = :epoch and expires_at > {now}, false)"};

const selection lease_held{"lease_held", "select {columns} from writer_lease where id = 1 {for key share}",
                           is_lease_held};

/// Reads everything in one statement, which saves two round trips for every group of decisions.
const selection state_of_store{
    "state_of_store",
    "select {columns} from writer_lease l cross join change_stream s where l.id = 1 and s.id = 1"
    " {for key share of l}",
    is_lease_held, named<std::int64_t>("s.position"),
    named<bool>("exists (select 1 from changes where position = :basis and changes.id = :basis_id)")};

parameters holder_of(const lease& held) { return {{"node", held.node}, {"epoch", held.epoch}}; }

/// Joins the new rows with the row of the lease, so that nothing is inserted without the lease.
std::string leased_insert_text(const bulk_table& table, bulk_mode mode) {
  return "with lease(is_held) as (" + std::string(lease_held.as_query().text) + "), inserted as (" +
         insert_from_arrays(table, mode, " cross join lease where is_held") + ") select {columns} from lease";
}

/// A statement outside a transaction is its own transaction.
void insert_in_one_statement(session::connection& db, const lease& held, const cell_rows& rows,
                             bulk_mode mode) {
  const auto& table = rows.table();
  const auto text = leased_insert_text(table, mode);
  const auto name = std::string(mode == bulk_mode::insert ? "insert_" : "insert_new_") + table.name;
  auto values = holder_of(held);
  auto arrays = arrays_of(rows.cells(), table.columns.size());
  for (std::size_t i = 0; i < arrays.size(); ++i)
    values.emplace_back(table.columns[i].name, std::move(arrays[i]));
  if (!db.read_one(selection{name, text, named<bool>("is_held")}, values).value_or(false)) throw lease_lost();
}

/// Checks for existing keys only after a conflict, which is rare: the check costs a tenth of the insert.
void insert_in_postgresql(session::connection& db, const lease& held, const cell_rows& rows) {
  try {
    insert_in_one_statement(db, held, rows, bulk_mode::insert);
  } catch (const constraint_violated& rejection) {
    if (rejection.kind() != violation::conflicting_row) throw;
    insert_in_one_statement(db, held, rows, bulk_mode::insert_new);
  }
}

void insert_new_keys(session& db, const lease& held, const cell_rows& rows) {
  auto& connection = db.internals();
  if (connection.dialect() == dialect::postgresql)
    return connection.retry_when_lost([&] { insert_in_postgresql(connection, held, rows); });
  write_transaction txn(db, held);
  insert(db, rows, bulk_mode::insert_new);
  txn.commit();
}

} // namespace

transaction::transaction(session& db, purpose purpose) : connection_(db.internals()), purpose_(purpose) {
  connection_.begin(purpose == purpose::write ? session::connection::access::write
                                              : session::connection::access::snapshot);
}

transaction::~transaction() { connection_.rollback(); }

void transaction::commit() {
  if (purpose_ == purpose::read) return connection_.commit();
  if (const auto& action = connection_.commit_action()) action();
  connection_.commit();
  connection_.set_commit_action({});
}

void limit_lock_waits(session& db) {
  if (!db.is_sqlite()) db.internals().script("lock_timeout", "set local lock_timeout = '250ms'");
}

/// SQLite has a single writer, so starting a write transaction is enough there.
settled_read::settled_read(session& db) : transaction_(db, transaction::purpose::write) {
  limit_lock_waits(db);
}

write_transaction::write_transaction(session& db, const lease& held)
    : transaction_(db, transaction::purpose::write) {
  if (!db.internals().read_one(lease_held, holder_of(held)).value_or(false)) throw lease_lost();
}

write_transaction::write_transaction(session& db, const lease& held, const stream_point& basis)
    : transaction_(db, transaction::purpose::write) {
  base_on(db, held, basis);
}

void write_transaction::base_on(session& db, const lease& held, const stream_point& basis) {
  auto values = holder_of(held);
  values.emplace_back("basis", basis.position);
  values.emplace_back("basis_id", basis.id);
  bool holds_lease = false, knows_basis = false;
  db.internals().read(state_of_store, values, [&](bool is_held, std::int64_t position, bool has_basis) {
    holds_lease = is_held;
    position_ = position;
    knows_basis = has_basis;
  });
  if (!holds_lease) throw lease_lost();
  if (!knows_basis || position_ < basis.position)
    throw another_history("the store's history is not the one that was read");
}

void insert_new(session& db, const lease& held, const cell_rows& rows) {
  try {
    insert_new_keys(db, held, rows);
  } catch (const constraint_violated& rejection) {
    if (rejection.kind() != violation::conflicting_row) throw;
    throw constraint_violated(violation::invalid_value, rejection.constraint());
  }
}

} // namespace roost::store
