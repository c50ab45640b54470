#include "store/bookings/requests.hpp"

#include "store/columns/enum_text.hpp"
#include "store/columns/tenant_row.hpp"
#include "store/database/leased_insert.hpp"

namespace roost::store {

namespace {

const bulk_table request_rows{"booking_requests",
                              {{"id", "uuid", column_role::key},
                               {"platform", "text"},
                               {"external_id", "text"},
                               {"unit_id", "uuid"},
                               {"reference", "text"},
                               {"check_in", "date"},
                               {"check_out", "date"},
                               {"occupants", "integer"},
                               {"provider_payment_cents", "bigint"},
                               {"ota_commission_cents", "bigint"},
                               {"first_name", "text"},
                               {"last_name", "text"},
                               {"email", "text"},
                               {"fiscal_id", "text"},
                               {"phone", "text"},
                               {"nationality", "text"},
                               {"received_at", "timestamptz"}}};

/// One row for each New request and account that has imported it; ordered, so that a request's rows are
/// neighbours. A plan that was made while there were few bookings would read all of them for every group;
/// `offset 0` keeps PostgreSQL from that.
constexpr query new_requests{
    "new_requests",
    "select r.seq, r.id, r.platform, r.external_id, r.unit_id, r.reference, r.check_in, r.check_out, "
    "r.occupants,"
    " r.provider_payment_cents, r.ota_commission_cents, r.first_name, r.last_name, r.email, r.fiscal_id,"
    " r.phone, r.nationality, r.received_at, b.account_id"
    " from (select * from booking_requests where state = 'New' and seq > :after_seq order by seq limit :most)"
    " r left join lateral (select account_id from bookings where platform = r.platform"
    " and reference = r.reference offset 0) b on true order by r.seq",
    19,
    "select r.seq, r.id, r.platform, r.external_id, r.unit_id, r.reference, r.check_in, r.check_out, "
    "r.occupants,"
    " r.provider_payment_cents, r.ota_commission_cents, r.first_name, r.last_name, r.email, r.fiscal_id,"
    " r.phone, r.nationality, r.received_at, b.account_id"
    " from (select * from booking_requests where state = 'New' and seq > :after_seq order by seq limit :most)"
    " r left join bookings b on b.platform = r.platform and b.reference = r.reference order by r.seq"};

constexpr query request_states{"request_states",
                               "select id, state from booking_requests where id in {ids uuid}", 2};

constexpr query count_new{"count_new", "select count(*) from booking_requests where state = 'New'", 1};
constexpr query read_totals{"read_totals", "select state, total from request_totals", 2};

domain::booking_request read_request(row& r) {
  domain::booking_request request;
  request.id = r.id();
  request.platform = r.text();
  request.external_id = r.text();
  request.unit_id = r.optional_id();
  request.reference = r.optional_text();
  request.check_in = r.day();
  request.check_out = r.day();
  request.occupants = r.small_integer();
  request.provider_payment = r.optional_amount();
  request.ota_commission = r.optional_amount();
  request.tenant = read_tenant_details(r);
  request.received_at = r.moment();
  return request;
}

} // namespace

void insert_requests(session& db, const lease& held, std::span<const domain::booking_request> requests) {
  if (requests.empty()) return;
  bulk_rows rows(request_rows);
  for (const auto& r : requests)
    rows.add(r.id, r.platform, r.external_id, r.unit_id, r.reference, r.check_in, r.check_out, r.occupants,
             r.provider_payment, r.ota_commission, r.tenant.first_name, r.tenant.last_name, r.tenant.email,
             r.tenant.fiscal_id, r.tenant.phone, r.tenant.nationality, r.received_at);
  insert_new(db, held, rows);
}

std::vector<pending_request> pending_requests(session& db, std::int64_t after_seq, std::size_t limit) {
  std::vector<pending_request> pending;
  db.internals().read(new_requests, {{"after_seq", to_cell(after_seq)}, {"most", to_cell(limit)}},
                      [&](row& r) {
                        const auto seq = r.integer();
                        auto request = read_request(r);
                        if (pending.empty() || pending.back().seq != seq)
                          pending.push_back({seq, std::move(request), {}});
                        if (const auto account = r.optional_id())
                          pending.back().imported_in.push_back(*account);
                      });
  return pending;
}

std::vector<request_outcome> outcomes(session& db, std::span<const domain::uuid> requests) {
  std::vector<request_outcome> found;
  db.internals().read(request_states, {{"ids", db.internals().list(requests)}}, [&](row& r) {
    const auto id = r.id();
    found.push_back({id, parse_request_state(r.text())});
  });
  return found;
}

request_counts requests_by_state(session& db) {
  request_counts counts;
  db.internals().read(count_new, {}, [&](row& r) { counts.pending = r.integer(); });
  db.internals().read(read_totals, {}, [&](row& r) {
    const auto state = parse_request_state(r.text());
    const auto total = r.integer();
    if (state == domain::request_state::success) counts.success = total;
    if (state == domain::request_state::failed) counts.failed = total;
    if (state == domain::request_state::dropped) counts.dropped = total;
  });
  return counts;
}

} // namespace roost::store
