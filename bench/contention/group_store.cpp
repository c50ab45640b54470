#include "group_store.hpp"

#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <cstdint>

namespace roost::contention {

namespace {

constexpr auto bare_columns = store::columns(
    store::column("id", &bare_row::id).key(), store::column("unit", &bare_row::unit),
    store::column("check_in", &bare_row::check_in), store::column("check_out", &bare_row::check_out));

/// Waits for every transaction that began under a lease: they hold a share of its row. SQLite has one writer.
constexpr store::query wait_for_writers{"lab_wait", "select cast(id as text) from writer_lease for update",
                                        "select cast(id as text) from writer_lease", 1};

constexpr store::query stay_with{"lab_stay_with", "select cast(id as text) from lab_stays where id = :id",
                                 nullptr, 1};

} // namespace

void write_bare(store::session& db, const store::lease& held, const std::vector<bare_row>& rows) {
  static const auto table = store::table_of<bare_columns>("lab_stays");
  store::bulk_rows<bare_row> cells(table);
  for (const auto& row : rows) cells.add(row);
  store::write_transaction txn(db, held);
  store::insert(db, cells);
  txn.commit();
}

bool is_settled_bare(store::session& db, const std::vector<bare_row>& rows) {
  const store::settled_read txn(db);
  db.internals().read_rows(wait_for_writers, {}, [](const store::row&) {});
  bool found = false;
  db.internals().read_rows(stay_with, {{"id", store::to_cell(rows.front().id)}},
                           [&](const store::row&) { found = true; });
  return found;
}

bool is_settled_whole(store::session& db, const std::vector<domain::uuid>& requests) {
  static const store::selection decided{
      "lab_decided", "select {columns} from booking_requests where state <> 'New' and id in {ids uuid}",
      store::named<std::int64_t>("count(*)")};
  const store::settled_read txn(db);
  db.internals().read_rows(wait_for_writers, {}, [](const store::row&) {});
  return db.internals().read_one(decided, {{"ids", db.internals().list(requests)}}) > 0;
}

} // namespace roost::contention
