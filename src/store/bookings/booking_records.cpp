#include "store/bookings/booking_records.hpp"

#include "store/columns/enum_text.hpp"
#include "store/columns/tenant_row.hpp"
#include "store/columns/terms_column.hpp"
#include "store/database/connection.hpp"

namespace roost::store {

namespace {

/// Empty parameters leave their column open; that a list by account reads all bookings is well with a command
/// that somebody waits for.
constexpr query booking_records{
    "booking_records",
    "select b.id, b.request_id, b.account_id, b.unit_id, b.platform, b.reference, b.check_in, b.check_out,"
    " b.last_night, b.occupants, b.status, b.provider_payment_cents, b.ota_commission_cents, b.terms,"
    " b.cancelled_by, b.cancelled_at, b.created_at, t.id, t.first_name, t.last_name, t.email, t.fiscal_id,"
    " t.phone, t.nationality, t.category, u.internal_name, p.city, a.company_name, a.currency"
    " from bookings b join tenants t on t.account_id = b.account_id and t.id = b.tenant_id"
    " join units u on u.id = b.unit_id join properties p on p.id = u.property_id"
    " join accounts a on a.id = b.account_id"
    " where (:id = '' or cast(b.id as text) = :id)"
    " and (:account = '' or cast(b.account_id as text) = :account)"
    " and (:unit = '' or cast(b.unit_id as text) = :unit) and (:status = '' or b.status = :status)"
    " and (:platform = '' or b.platform = :platform) and (:reference = '' or b.reference = :reference)"
    " order by b.created_at desc, b.id desc limit :most",
    29};

constexpr query status_by_reference{"status_by_reference",
                                    "select status from bookings where platform = :platform"
                                    " and reference = :reference and account_id = :account",
                                    1};

constexpr query notification_records{
    "notification_records",
    "select id, account_id, kind, title, body, booking_id, request_id, created_at from notifications"
    " where (:account = '' or cast(account_id as text) = :account) order by created_at desc, id desc limit "
    ":most",
    8};

domain::booking read_booking(row& r) {
  domain::booking booking;
  booking.id = r.id();
  booking.request_id = r.id();
  booking.account_id = r.id();
  booking.unit_id = r.id();
  booking.platform = r.text();
  booking.reference = r.optional_text();
  booking.check_in = r.day();
  booking.check_out = r.day();
  booking.last_night = r.day();
  booking.occupants = r.small_integer();
  booking.status = parse_booking_status(r.text());
  booking.provider_payment = r.amount();
  booking.ota_commission = r.optional_amount();
  domain::booking_terms terms;
  read_json(r.text(), terms);
  booking.terms = std::make_shared<const domain::booking_terms>(std::move(terms));
  return booking;
}

domain::tenant read_tenant(row& r) {
  domain::tenant tenant;
  tenant.id = r.id();
  tenant.details = read_tenant_details(r);
  tenant.category = r.optional_text();
  return tenant;
}

booking_record read_record(row& r) {
  booking_record record;
  record.booking = read_booking(r);
  if (const auto who = r.optional_text()) record.cancelled_by = parse_cancelled_by(*who);
  record.cancelled_at = r.optional_moment();
  record.booking.created_at = r.moment();
  record.tenant = read_tenant(r);
  record.tenant.account_id = record.booking.account_id;
  record.booking.tenant_id = record.tenant.id;
  record.unit_name = r.text();
  record.city = r.text();
  record.company_name = r.text();
  record.currency = r.text();
  return record;
}

cell text_or_any(const std::optional<domain::uuid>& id) {
  return id ? domain::to_string(*id) : std::string{};
}

std::vector<booking_record> read_records(session& db, const std::optional<domain::uuid>& id,
                                         const booking_filter& wanted, std::size_t limit) {
  const auto status = wanted.status ? domain::to_string(*wanted.status) : std::string_view{};
  std::vector<booking_record> records;
  db.internals().read(booking_records,
                      {{"id", text_or_any(id)},
                       {"account", text_or_any(wanted.account)},
                       {"unit", text_or_any(wanted.unit)},
                       {"status", to_cell(status)},
                       {"platform", to_cell(wanted.platform.value_or(""))},
                       {"reference", to_cell(wanted.reference.value_or(""))},
                       {"most", to_cell(limit)}},
                      [&](row& r) { records.push_back(read_record(r)); });
  return records;
}

} // namespace

std::vector<booking_record> list_bookings(session& db, const booking_filter& wanted, std::size_t limit) {
  return read_records(db, std::nullopt, wanted, limit);
}

std::optional<booking_record> find_booking(session& db, const domain::uuid& id) {
  auto found = read_records(db, id, {}, 1);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::optional<domain::booking_status> status_of(session& db, const platform_reference& booking) {
  std::optional<domain::booking_status> status;
  db.internals().read(status_by_reference,
                      {{"platform", to_cell(booking.platform)},
                       {"reference", to_cell(booking.reference)},
                       {"account", to_cell(booking.account_id)}},
                      [&](row& r) { status = parse_booking_status(r.text()); });
  return status;
}

std::vector<domain::notification> list_notifications(session& db, std::optional<domain::uuid> account,
                                                     std::size_t limit) {
  std::vector<domain::notification> notifications;
  db.internals().read(notification_records, {{"account", text_or_any(account)}, {"most", to_cell(limit)}},
                      [&](row& r) {
                        domain::notification told;
                        told.id = r.id();
                        told.account_id = r.id();
                        told.kind = r.text();
                        told.title = r.text();
                        told.body = r.text();
                        told.booking_id = r.optional_id();
                        told.request_id = r.optional_id();
                        told.created_at = r.moment();
                        notifications.push_back(std::move(told));
                      });
  return notifications;
}

} // namespace roost::store
