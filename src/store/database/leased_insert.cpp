#include "store/database/error.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

/// The new rows are joined with the lease's row: without the lease there is nothing to insert.
std::string text_of(const bulk_table& table, bulk_mode mode) {
  return "with lease(is_held) as (" + std::string(lease_held.as_query().text) + "), inserted as (" +
         insert_from_arrays(table, mode, " cross join lease where is_held") + ") select {columns} from lease";
}

/// A statement outside of a transaction is a transaction of its own.
void insert_in_one_statement(session::connection& db, const lease& held, const cell_rows& rows,
                             bulk_mode mode) {
  const auto& table = rows.table();
  const auto text = text_of(table, mode);
  const auto name = std::string(mode == bulk_mode::insert ? "insert_" : "insert_new_") + table.name;
  parameters with{{"node", to_cell(held.node)}, {"epoch", to_cell(held.epoch)}};
  auto arrays = arrays_of(rows.cells(), table.columns.size());
  for (std::size_t i = 0; i < arrays.size(); ++i)
    with.emplace_back(table.columns[i].name, std::move(arrays[i]));
  if (!db.read_one(selection{name.c_str(), text.c_str(), named<bool>("is_held")}, with).value_or(false))
    throw lease_lost();
}

/// Looking for rows that exist already costs a tenth of the insert, and there is hardly ever one.
void insert_in_postgresql(session::connection& db, const lease& held, const cell_rows& rows) {
  try {
    insert_in_one_statement(db, held, rows, bulk_mode::insert);
  } catch (const constraint_violated&) {
    insert_in_one_statement(db, held, rows, bulk_mode::insert_new);
  }
}

} // namespace

void insert_new(session& db, const lease& held, const cell_rows& rows) {
  auto& connection = db.internals();
  if (connection.dialect() == dialect::postgresql)
    return connection.again_when_lost([&] { insert_in_postgresql(connection, held, rows); });
  write_transaction txn(db, held);
  insert(db, rows, bulk_mode::insert_new);
  txn.commit();
}

} // namespace roost::store
