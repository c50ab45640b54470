#include "store/bookings/requests.hpp"

#include "store/bookings/request_columns.hpp"
#include "store/database/transaction.hpp"

namespace roost::store {

namespace {

const auto request_table = table_of<request_columns>("booking_requests");

/// One row for each New request and account that has imported it; ordered, so that a request's rows are
/// neighbours. A plan that was made while there were few bookings would read all of them for every group;
/// `offset 0` keeps PostgreSQL from that.
const selection new_requests{
    "new_requests",
    {"select {columns} from (select * from booking_requests where state = 'New' and seq > :after_seq"
     " order by seq limit :most) r left join lateral (select account_id from bookings where platform = "
     "r.platform"
     " and reference = r.reference offset 0) b on true order by r.seq",
     "select {columns} from (select * from booking_requests where state = 'New' and seq > :after_seq"
     " order by seq limit :most) r left join bookings b on b.platform = r.platform"
     " and b.reference = r.reference order by r.seq"},
    named<std::int64_t>("r.seq"),
    request_columns.of("r"),
    named<std::optional<domain::uuid>>("b.account_id")};

/// Whatever their state is: a row that a condition leaves out is not waited for.
const selection settled_requests{"settled_requests",
                                 {"select {columns} from booking_requests where id in {ids uuid} for share",
                                  "select {columns} from booking_requests where id in {ids uuid}"},
                                 named<domain::uuid>("id")};
const selection stored_bookings{"stored_bookings", "select {columns} from bookings where id in {ids uuid}",
                                named<domain::uuid>("id")};

const selection count_new{"count_new", "select {columns} from booking_requests where state = 'New'",
                          named<std::int64_t>("count(*)")};
const selection read_totals{"read_totals", "select {columns} from request_totals",
                            named<domain::request_state>("state"), named<std::int64_t>("total")};

} // namespace

void insert_requests(session& db, const lease& held, std::span<const domain::booking_request> requests) {
  if (requests.empty()) return;
  bulk_rows rows(request_table);
  for (const auto& each : requests) rows.add(each);
  insert_new(db, held, rows);
}

std::vector<pending_request> pending_requests(session& db, std::int64_t after_seq, std::size_t limit) {
  std::vector<pending_request> pending;
  db.internals().read(
      new_requests, {{"after_seq", to_cell(after_seq)}, {"most", to_cell(limit)}},
      [&](std::int64_t seq, domain::booking_request&& request, const std::optional<domain::uuid>& account) {
        if (pending.empty() || pending.back().seq != seq)
          pending.push_back({seq, std::move(request), {}, {}});
        if (account) pending.back().imported_in.push_back(*account);
      });
  return pending;
}

/// In two statements: one that waits for a row goes on to see the others as they were when it began.
std::vector<domain::uuid> settled_bookings(session& db, std::span<const domain::uuid> requests,
                                           std::span<const domain::uuid> bookings) {
  const settled_read txn(db);
  db.internals().read_all(settled_requests, {{"ids", db.internals().list(requests)}});
  return db.internals().read_all(stored_bookings, {{"ids", db.internals().list(bookings)}});
}

request_counts requests_by_state(session& db) {
  request_counts counts;
  counts.pending = db.internals().read_one(count_new).value_or(0);
  db.internals().read(read_totals, {}, [&](domain::request_state state, std::int64_t total) {
    if (state == domain::request_state::success) counts.success = total;
    if (state == domain::request_state::failed) counts.failed = total;
    if (state == domain::request_state::dropped) counts.dropped = total;
  });
  return counts;
}

} // namespace roost::store
