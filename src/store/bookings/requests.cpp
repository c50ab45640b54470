#include "store/bookings/requests.hpp"

#include "store/bookings/booking_rows.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/bulk.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"

#include <chrono>

namespace roost::store {

namespace {

const auto submission_table = table_of<submission_columns>("booking_requests");

/// Returns one row for each New request and account that has imported it, ordered so that the rows of a
/// request are adjacent. An empty `every` restricts them to the platforms. A plan prepared while there were
/// few bookings would scan all of them for every group; `offset 0` prevents this in PostgreSQL, for both
/// subqueries.
const selection new_requests{
    "new_requests",
    {"select {columns} from (select * from booking_requests where state = 'New' and seq > :after_seq"
     " and (:every <> '' or platform in {platforms text})"
     " order by seq limit :limit) r left join lateral (select account_id from bookings where platform = "
     "r.platform"
     " and reference = r.reference offset 0) b on true order by r.seq",
     "select {columns} from (select * from booking_requests where state = 'New' and seq > :after_seq"
     " and (:every <> '' or platform in {platforms text})"
     " order by seq limit :limit) r left join bookings b on b.platform = r.platform"
     " and b.reference = r.reference order by r.seq"},
    named<std::int64_t>("r.seq"),
    request_columns.of("r"),
    named<std::optional<domain::uuid>>("b.account_id"),
    named<bool>("exists (select 1 from booking_requests w where w.reference = r.reference"
                " and w.platform = r.platform and w.refusal = 'withdrawn' limit 1 offset 0)"),
    named<std::optional<domain::uuid>>("(select h.block_id from holds h where h.request_id = r.id"
                                       " and h.ended_at is null limit 1)")};

/// Matches any state, because only rows that match are waited for.
const selection settled_requests{"settled_requests",
                                 "select {columns} from booking_requests where id in {ids uuid} {for share}",
                                 named<domain::uuid>("id")};
const selection stored_bookings{"stored_bookings", "select {columns} from bookings where id in {ids uuid}",
                                named<domain::uuid>("id")};

/// The oldest request is the one that arrived first, whatever the clock showed.
const selection new_by_platform{
    "new_by_platform",
    "select {columns} from (select platform, count(*) as total, min(seq) as seq from booking_requests"
    " where state = 'New' group by platform) w join booking_requests r on r.seq = w.seq and r.state = 'New'"
    " order by r.platform",
    columns(column("r.platform", &platform_backlog::platform), column("w.total", &platform_backlog::requests),
            column("r.seq", &platform_backlog::oldest_seq),
            column("r.received_at", &platform_backlog::oldest))};
const selection read_totals{"read_totals", "select {columns} from request_totals",
                            named<domain::request_state>("state"), named<std::int64_t>("total")};

const selection oldest_pending_change{"oldest_stay_change",
                                      "select {columns} from stay_changes where state = 'pending'"
                                      " order by after_seq, seq limit 1",
                                      named<domain::timestamp>("received_at")};

constexpr auto request_record_columns = columns(nested(&request_record::request, request_columns.of("r")),
                                                column("state", &request_record::state).of("r"),
                                                column("refusal", &request_record::reason).of("r"),
                                                column("decided_at", &request_record::decided_at).of("r"),
                                                column("id", &request_record::booking_id).of("b"));

/// An empty parameter matches every row. Scans all requests, which is acceptable for a command.
const selection request_records{
    "request_records",
    "select {columns} from booking_requests r left join bookings b on b.request_id = r.id"
    " where (:state = '' or r.state = :state) and (:platform = '' or r.platform = :platform)"
    " and r.received_at >= :since order by r.received_at desc, r.seq desc limit :limit",
    request_record_columns};

const selection request_by_id{
    "request_by_id",
    "select {columns} from booking_requests r left join bookings b on b.request_id = r.id where r.id = :id",
    request_record_columns};

/// Matches at most one row, but scans all notifications.
const selection notified_company{
    "notified_company",
    "select {columns} from notifications n join accounts a on a.id = n.account_id where n.request_id = :id",
    named<std::string>("a.company_name")};

const selection links_of_ids{
    "links_of_ids",
    "select {columns} from links l join units u on u.id = l.unit_id where l.external_id in {ids text}"
    " order by u.created_at, u.id",
    columns(column("platform", &current_link::platform), column("external_id", &current_link::external_id),
            column("account_id", &current_link::account_id), column("unit_id", &current_link::unit_id))
        .of("l")};

/// Uses the database's clock, which also wrote the times.
const selection ended_links{
    "ended_links", "select {columns} from former_links where external_id in {ids text} order by ended_at",
    columns(column("platform", &former_link::platform), column("external_id", &former_link::external_id),
            column("account_id", &former_link::account_id),
            column("last_request", &former_link::last_request),
            column("ended_at >= {now - :max_age}", &former_link::is_recent))};

} // namespace

void insert_requests(session& db, const lease& held, std::span<const submission> submissions) {
  if (submissions.empty()) return;
  bulk_rows rows(submission_table);
  for (const auto& each : submissions) rows.add(each);
  insert_new(db, held, rows);
}

std::vector<pending_request> pending_requests(session& db, std::int64_t after_seq, std::size_t limit,
                                              std::optional<std::span<const std::string>> platforms) {
  std::vector<pending_request> pending;
  db.internals().read(
      new_requests,
      {{"after_seq", after_seq},
       {"limit", limit},
       {"every", platforms ? "" : "platform"},
       {"platforms", db.internals().list(platforms.value_or(std::span<const std::string>{}))}},
      [&](std::int64_t seq, domain::booking_request&& request, const std::optional<domain::uuid>& account,
          bool is_withdrawn, const std::optional<domain::uuid>& hold) {
        if (pending.empty() || pending.back().seq != seq)
          pending.push_back({seq, std::move(request), {}, is_withdrawn, hold, {}});
        if (account) pending.back().imported_in.push_back(*account);
      });
  return pending;
}

/// Needs two statements: one that waits for a row still sees all other rows as they were when it began.
std::vector<domain::uuid> settled_bookings(session& db, std::span<const domain::uuid> requests,
                                           std::span<const domain::uuid> bookings) {
  const settled_read txn(db);
  db.internals().read_all(settled_requests, {{"ids", db.internals().list(requests)}});
  return db.internals().read_all(stored_bookings, {{"ids", db.internals().list(bookings)}});
}

std::vector<platform_backlog> backlog_by_platform(session& db) {
  return db.internals().read_all(new_by_platform);
}

request_counts requests_by_state(session& db) {
  request_counts counts;
  counts.backlog = backlog_by_platform(db);
  for (const auto& each : counts.backlog) counts.pending += each.requests;
  db.internals().read(read_totals, {}, [&](domain::request_state state, std::int64_t total) {
    if (state == domain::request_state::success) counts.success = total;
    if (state == domain::request_state::failed) counts.failed = total;
    if (state == domain::request_state::dropped) counts.dropped = total;
  });
  counts.oldest_change = db.internals().read_one(oldest_pending_change);
  return counts;
}

std::vector<request_record> list_requests(session& db, const request_filter& filter, std::size_t limit) {
  const auto state = filter.state ? domain::to_string(*filter.state) : std::string_view{};
  return db.internals().read_all(request_records, {{"state", state},
                                                   {"platform", filter.platform.value_or("")},
                                                   {"since", filter.since.value_or(domain::timestamp{})},
                                                   {"limit", limit}});
}

std::optional<request_record> find_request(session& db, const domain::uuid& id) {
  auto record = db.internals().read_one(request_by_id, {{"id", id}});
  if (record) record->company_name = db.internals().read_one(notified_company, {{"id", id}});
  return record;
}

std::vector<current_link> current_links(session& db, std::span<const std::string> external_ids) {
  return db.internals().read_all(links_of_ids, {{"ids", db.internals().list(external_ids)}});
}

std::vector<former_link> former_links(session& db, std::span<const std::string> external_ids) {
  if (external_ids.empty()) return {};
  constexpr std::chrono::milliseconds max_age = std::chrono::days{90};
  return db.internals().read_all(ended_links,
                                 {{"ids", db.internals().list(external_ids)}, {"max_age", max_age.count()}});
}

} // namespace roost::store
