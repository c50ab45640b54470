#include "store/bookings/bookings.hpp"

#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
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

/// Of two concurrent cancellations, the second waits for the first and then matches no row.
std::string cancel_active(const std::string& condition) {
  return "update bookings set status = 'cancelled', cancelled_by = :cancelled_by, cancelled_at = {now},"
         " updated_at = {now} where " +
         condition + " and status in ('confirmed', 'checked_in') returning {columns}";
}

const std::string by_reference =
    "platform = :platform and reference = :reference and account_id = :account and unit_id = :unit";
const std::string status_text = "select {columns} from bookings where " + by_reference;

const selection cancel_by_id{"cancel_by_id", cancel_active("id = :id"), named<domain::uuid>("account_id")};
const selection cancel_by_reference{"cancel_by_reference", cancel_active(by_reference),
                                    named<domain::uuid>("id")};
const selection booking_by_reference{"booking_by_reference", status_text, named<domain::uuid>("id"),
                                     named<domain::booking_status>("status")};
/// Matches any status, because only rows that match are waited for.
const selection settled_status{"settled_status", status_text + " {for share}", named<domain::uuid>("id"),
                               named<domain::booking_status>("status")};

parameters key_of(const platform_reference& booking, const domain::uuid& unit_id) {
  return {{"platform", booking.platform},
          {"reference", booking.reference},
          {"account", booking.account_id},
          {"unit", unit_id}};
}

stream_point append_cancel(session& db, const domain::uuid& booking, const domain::uuid& account) {
  return append(db, {change_kind::calendar, {account}, {}, {booking}});
}

/// Finds a booking that can no longer be cancelled; nullopt if there is no such booking.
std::optional<cancellation> find_inactive(session& db, const platform_reference& booking,
                                          const domain::uuid& unit_id) {
  std::optional<cancellation> result;
  db.internals().read(booking_by_reference, key_of(booking, unit_id),
                      [&](const domain::uuid& id, domain::booking_status status) {
                        result = {id, false, status == domain::booking_status::cancelled, {}};
                      });
  return result;
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

std::optional<cancellation> cancel_for_platform(session& db, const lease& held,
                                                const platform_reference& booking,
                                                const domain::uuid& unit_id, const cancel_notice& notice) {
  write_transaction txn(db, held);
  auto values = key_of(booking, unit_id);
  values.emplace_back("cancelled_by", domain::to_string(domain::cancelled_by::platform));
  const auto id = db.internals().read_one(cancel_by_reference, values);
  if (!id) return find_inactive(db, booking, unit_id);
  insert_message(db, notice(*find_booking(db, *id)));
  const auto change = append_cancel(db, *id, booking.account_id);
  txn.commit();
  return cancellation{*id, true, true, change};
}

std::optional<domain::uuid> settled_cancellation(session& db, const platform_reference& booking,
                                                 const domain::uuid& unit_id) {
  const settled_read txn(db);
  std::optional<domain::uuid> cancelled;
  db.internals().read(settled_status, key_of(booking, unit_id),
                      [&](const domain::uuid& id, domain::booking_status status) {
                        if (status == domain::booking_status::cancelled) cancelled = id;
                      });
  return cancelled;
}

std::optional<landlord_cancellation> cancel_for_landlord(session& db, const domain::uuid& booking,
                                                         const cancel_notice& notice) {
  transaction txn(db, transaction::purpose::write);
  const auto canceller = to_cell(domain::to_string(domain::cancelled_by::landlord));
  const auto account = db.internals().read_one(cancel_by_id, {{"id", booking}, {"cancelled_by", canceller}});
  const auto record = find_booking(db, booking);
  if (!record) return std::nullopt;
  landlord_cancellation outcome{account.has_value(), {}};
  if (!outcome.done) return outcome;
  if (notice) insert_message(db, notice(*record));
  outcome.change = append_cancel(db, booking, *account);
  txn.commit();
  return outcome;
}

} // namespace roost::store
