#include "store/portfolio/portfolio_position.hpp"

#include "store/database/connection.hpp"

namespace roost::store {

namespace {

constexpr auto position_columns =
    columns(column("version", &portfolio_position::version), column("edits", &portfolio_position::edits));

const selection read_position{"read_position", "select {columns} from portfolio_state where id = 1",
                              position_columns};
const selection read_progress{
    "read_progress", "select {columns} from portfolio_state where id = 1",
    columns(within(&store_progress::position, position_columns),
            column("cast((select sum(total) from request_totals) as bigint)", &store_progress::decided))};
const selection next_edit{"next_edit",
                          "update portfolio_state set edits = edits + 1 where id = 1 returning {columns}",
                          position_columns};

} // namespace

portfolio_position current_position(session& db) {
  return db.internals().read_one(read_position).value_or(portfolio_position{});
}

store_progress current_progress(session& db) {
  return db.internals().read_one(read_progress).value_or(store_progress{});
}

portfolio_position count_edit(session& db) {
  return db.internals().read_one(next_edit).value_or(portfolio_position{});
}

} // namespace roost::store
