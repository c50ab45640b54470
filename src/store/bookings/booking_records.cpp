#include "store/bookings/booking_records.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/messages/messages.hpp"

namespace roost::store {

namespace {

constexpr auto record_columns = columns(nested(&booking_record::booking, booking_columns.of("b")),
                                        column("cancelled_by", &booking_record::cancelled_by).of("b"),
                                        column("cancelled_at", &booking_record::cancelled_at).of("b"),
                                        nested(&booking_record::tenant, tenant_columns.of("t")),
                                        column("internal_name", &booking_record::unit_name).of("u"),
                                        column("city", &booking_record::city).of("p"),
                                        column("company_name", &booking_record::company_name).of("a"),
                                        column("currency", &booking_record::currency).of("a"));

std::string records_where(const std::string& condition) {
  return "select {columns} from bookings b"
         " join tenants t on t.account_id = b.account_id and t.id = b.tenant_id"
         " join units u on u.id = b.unit_id join properties p on p.id = u.property_id"
         " join accounts a on a.id = b.account_id where " +
         condition;
}

const selection booking_by_id{"booking_by_id", records_where("b.id = :id"), record_columns};

/// An empty parameter matches every row, so even a list by account scans all bookings: acceptable for a
/// command.
const selection booking_records{"booking_records",
                                records_where("(:account = '' or cast(b.account_id as text) = :account)"
                                              " and (:unit = '' or cast(b.unit_id as text) = :unit)"
                                              " and (:status = '' or b.status = :status)"
                                              " and (:platform = '' or b.platform = :platform)"
                                              " and (:reference = '' or b.reference = :reference)"
                                              " order by b.created_at desc, b.id desc limit :limit"),
                                record_columns};

const selection status_by_reference{"status_by_reference",
                                    "select {columns} from bookings where platform = :platform"
                                    " and reference = :reference and account_id = :account",
                                    named<domain::booking_status>("status")};

const selection notification_records{
    "notification_records",
    "select {columns} from notifications where (:account = '' or cast(account_id as text) = :account)"
    " order by created_at desc, id desc limit :limit",
    notification_columns};

cell text_or_empty(const std::optional<domain::uuid>& id) {
  return id ? domain::to_string(*id) : std::string{};
}

} // namespace

std::vector<booking_record> list_bookings(session& db, const booking_filter& filter, std::size_t limit) {
  const auto status = filter.status ? domain::to_string(*filter.status) : std::string_view{};
  return db.internals().read_all(booking_records, {{"account", text_or_empty(filter.account)},
                                                   {"unit", text_or_empty(filter.unit)},
                                                   {"status", status},
                                                   {"platform", filter.platform.value_or("")},
                                                   {"reference", filter.reference.value_or("")},
                                                   {"limit", limit}});
}

std::optional<booking_record> find_booking(session& db, const domain::uuid& id) {
  return db.internals().read_one(booking_by_id, {{"id", id}});
}

domain::booking_request request_of(const booking_record& record) {
  const auto& booking = record.booking;
  domain::booking_request request;
  request.id = booking.request_id;
  request.platform = booking.platform;
  request.reference = booking.reference;
  request.check_in = booking.check_in;
  request.check_out = booking.check_out;
  request.occupants = booking.occupants;
  request.tenant = record.tenant.details;
  return request;
}

std::optional<domain::booking_status> status_of(session& db, const platform_reference& booking) {
  return db.internals().read_one(
      status_by_reference,
      {{"platform", booking.platform}, {"reference", booking.reference}, {"account", booking.account_id}});
}

std::vector<domain::notification> list_notifications(session& db, std::optional<domain::uuid> account,
                                                     std::size_t limit) {
  return db.internals().read_all(notification_records,
                                 {{"account", text_or_empty(account)}, {"limit", limit}});
}

} // namespace roost::store
