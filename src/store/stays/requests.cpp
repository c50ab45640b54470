#include "store/stays/requests.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/stays/newest_first.hpp"

#include <utility>

namespace roost::store {

namespace {

constexpr auto office_request_columns =
    columns(nested(&office_request::request, request_columns.of("r")),
            column("r.state", &office_request::state), column("r.refusal", &office_request::reason),
            column("r.decided_at", &office_request::decided_at), column("b.id", &office_request::booking_id),
            column("u.id", &office_request::unit_id), column("u.internal_name", &office_request::unit_name));

/// The unit of a New request `q` that is linked under this ID.
std::string linked_unit(const std::string& condition) {
  return "(select l.unit_id from links l where l.account_id = :account and l.platform = q.platform"
         " and q.unit_id is null and " +
         condition + " limit 1)";
}

/// The unit of a New request `q` in the account: the one that it was resolved to on submission, or else the
/// one that its ID leads to; null if there is none.
std::string unit_of_new(const std::string& property_part) {
  return "coalesce((select n.id from units n where n.account_id = :account and (n.id = q.unit_id"
         " or (q.unit_id is null and q.platform in {own text} and cast(n.id as text) = q.external_id))), " +
         linked_unit("l.external_id = q.external_id") + ", " +
         linked_unit("l.platform in {by_property text} and l.external_id = " + property_part) + ")";
}

/// Completes a query of the requests that a filter selects. Each part of the union uses an index of its own.
texts_by_dialect requests_of_account(const std::string& before, const std::string& after) {
  const auto query = [&](const std::string& property_part) {
    return before +
           " from (select q.*, q.unit_id as about from booking_requests q where q.account_id = :account"
           " union all select q.*, " +
           unit_of_new(property_part) +
           " as about from booking_requests q where q.state = 'New' and q.account_id is null) r"
           " left join bookings b on b.request_id = r.id"
           " left join units u on u.id = coalesce(r.about, b.unit_id)"
           " left join properties p on p.id = u.property_id"
           " where (r.account_id is not null or r.about is not null or r.platform in {own text})"
           " and (:owner = '' or cast(p.owner_id as text) = :owner)"
           " and (:state = '' or r.state = :state) and (:platform = '' or r.platform = :platform)"
           " and r.received_at >= :since" +
           after;
  };
  return {query("split_part(q.external_id, '_', 1)"),
          query("substr(q.external_id, 1, instr(q.external_id, '_') - 1)")};
}

const selection office_request_page{
    "office_request_page",
    requests_of_account("select {columns}", " and (r.received_at, r.id) < (:before, :before_id)"
                                            " order by r.received_at desc, r.id desc limit :limit"),
    office_request_columns};
const selection office_request_count{"office_request_count", requests_of_account("select {columns}", ""),
                                     named<std::int64_t>("count(*)")};

} // namespace

office_page<office_request> list_office_requests(session& db, const office_scope& scope,
                                                 const platforms_of_account& platforms,
                                                 const office_request_filter& filter,
                                                 const std::optional<moment_place>& after, std::size_t limit,
                                                 with_total counted) {
  auto& connection = db.internals();
  parameters values{{"account", scope.account_id},
                    {"owner", text_or_empty(scope.owner_id)},
                    {"own", connection.list(platforms.own)},
                    {"by_property", connection.list(platforms.by_property)},
                    {"state", filter.state ? domain::to_string(*filter.state) : std::string_view{}},
                    {"platform", filter.platform.value_or("")},
                    {"since", filter.since.value_or(domain::timestamp{})}};
  const transaction txn(db, transaction::purpose::read);
  std::int64_t total = 0;
  if (counted == with_total::yes) total = connection.read_one(office_request_count, values).value_or(0);
  add_place(values, after);
  values.emplace_back("limit", limit + 1);
  return page_of(connection.read_all(office_request_page, values), limit, total);
}

} // namespace roost::store
