#include "store/bookings/request_columns.hpp"
#include "store/bookings/requests.hpp"
#include "store/database/connection.hpp"

namespace roost::store {

namespace {

constexpr auto request_record_columns = columns(nested(&request_record::request, request_columns.of("r")),
                                                column("state", &request_record::state).of("r"),
                                                column("refusal", &request_record::reason).of("r"),
                                                column("decided_at", &request_record::decided_at).of("r"),
                                                column("id", &request_record::booking_id).of("b"));

/// An empty parameter matches every row. It reads all requests, which is acceptable for a command.
const selection request_records{
    "request_records",
    "select {columns} from booking_requests r left join bookings b on b.request_id = r.id"
    " where (:state = '' or r.state = :state) and (:platform = '' or r.platform = :platform)"
    " and r.received_at >= :since order by r.received_at desc, r.seq desc limit :most",
    request_record_columns};

const selection request_by_id{
    "request_by_id",
    "select {columns} from booking_requests r left join bookings b on b.request_id = r.id where r.id = :id",
    request_record_columns};

/// Reads all notifications: there is one at most.
const selection landlord_told{
    "landlord_told",
    "select {columns} from notifications n join accounts a on a.id = n.account_id where n.request_id = :id",
    named<std::string>("a.company_name")};

} // namespace

std::vector<request_record> list_requests(session& db, const request_filter& wanted, std::size_t limit) {
  const auto state = wanted.state ? domain::to_string(*wanted.state) : std::string_view{};
  return db.internals().read_all(request_records,
                                 {{"state", to_cell(state)},
                                  {"platform", to_cell(wanted.platform.value_or(""))},
                                  {"since", to_cell(wanted.since.value_or(domain::timestamp{}))},
                                  {"most", to_cell(limit)}});
}

std::optional<request_record> find_request(session& db, const domain::uuid& id) {
  auto found = db.internals().read_one(request_by_id, {{"id", to_cell(id)}});
  if (found) found->company_name = db.internals().read_one(landlord_told, {{"id", to_cell(id)}});
  return found;
}

} // namespace roost::store
