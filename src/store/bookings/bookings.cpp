#include "store/bookings/bookings.hpp"

#include "store/bookings/outcomes.hpp"
#include "store/calendars/calendar_blocks.hpp"
#include "store/columns/record_columns.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace roost::store {

namespace {

constexpr auto record_columns = columns(
    nested(&booking_record::booking, booking_columns.of("b")),
    column("cancelled_by", &booking_record::cancelled_by).of("b"),
    column("cancelled_at", &booking_record::cancelled_at).of("b"),
    nested(&booking_record::tenant, tenant_columns.of("t")),
    column("internal_name", &booking_record::unit_name).of("u"),
    column("city", &booking_record::city).of("p"),
    column("company_name", &booking_record::company_name).of("a"),
    column("currency", &booking_record::currency).of("a"), column("id", &booking_record::property_id).of("p"),
    column("internal_name", &booking_record::property_name).of("p"),
    column("owner_id", &booking_record::owner_id).of("p"),
    column("updated_at", &booking_record::updated_at).of("b"),
    column("revision", &booking_record::revision).of("b"),
    nested(&booking_record::platform_change, platform_change_columns.of("b")));

std::string records_where(const std::string& condition) {
  return "select {columns} from bookings b"
         " join tenants t on t.account_id = b.account_id and t.id = b.tenant_id"
         " join units u on u.id = b.unit_id join properties p on p.id = u.property_id"
         " join accounts a on a.id = b.account_id where " +
         condition;
}

const selection booking_by_id{"booking_by_id", records_where("b.id = :id"), record_columns};
const selection bookings_by_id{"bookings_by_id", records_where("b.id in {ids uuid}"), record_columns};

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
constexpr query cancel_active_booking{
    "cancel_active", "update bookings set status = 'cancelled', cancelled_by = :cancelled_by,"
                     " cancelled_at = {now}, updated_at = {now}"
                     " where id = :id and status in ('confirmed', 'checked_in')"};

/// A platform knows a booking by the unit that it sold, also if the office has moved it.
const std::string status_text =
    "select {columns} from bookings where platform = :platform and reference = :reference"
    " and account_id = :account and (unit_id = :unit or sold_unit_id = :unit)";

const selection booking_by_reference{"booking_by_reference", status_text, named<domain::uuid>("id"),
                                     named<domain::uuid>("unit_id"), named<domain::booking_status>("status")};
/// Matches any status: FOR SHARE waits only for matching rows.
const selection settled_status{"settled_status", status_text + " {for share}", named<domain::uuid>("id"),
                               named<domain::booking_status>("status")};

parameters key_of(const platform_reference& booking, const domain::uuid& unit_id) {
  return {{"platform", booking.platform},
          {"reference", booking.reference},
          {"account", booking.account_id},
          {"unit", unit_id}};
}

/// Adds the value unless the list has it.
void add_once(std::vector<domain::uuid>& to, const domain::uuid& value) {
  if (std::ranges::find(to, value) == to.end()) to.push_back(value);
}

/// Cancels the booking and returns true, or returns false if it is not active.
bool cancel(session& db, const domain::uuid& booking, domain::cancelled_by canceller) {
  return db.internals().write(cancel_active_booking,
                              {{"id", booking}, {"cancelled_by", domain::to_string(canceller)}}) > 0;
}

/// Returns the positions of the bookings, ordered by id. Transactions cancel bookings in this order, so that
/// two of them never deadlock.
std::vector<std::size_t> locking_order(std::span<const domain::uuid> bookings) {
  std::vector<std::size_t> order(bookings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t position) { return bookings[position]; });
  return order;
}

/// Returns the booking without cancelling it; nullopt if there is no such booking.
std::optional<cancellation> find_for_platform(session& db, const platform_cancellation& request) {
  std::optional<cancellation> result;
  db.internals().read(booking_by_reference, key_of(request.booking, request.unit_id),
                      [&](const domain::uuid& id, const domain::uuid& unit, domain::booking_status status) {
                        result = {id, unit, false, status == domain::booking_status::cancelled, {}};
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

std::vector<booking_record> find_bookings(session& db, std::span<const domain::uuid> ids) {
  return db.internals().read_all(bookings_by_id, {{"ids", db.internals().list(ids)}});
}

domain::booking_request request_of(const booking_record& record) {
  const auto& booking = record.booking;
  domain::booking_request request;
  request.id = booking.request_id.value_or(domain::uuid{});
  request.platform = booking.platform.value_or("");
  request.reference = booking.reference;
  request.check_in = booking.check_in;
  request.check_out = booking.check_out;
  request.occupants = booking.occupants;
  request.provider_payment = booking.provider_payment;
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

cancelled_stays
cancel_active(session& db, std::span<const domain::uuid> bookings, domain::cancelled_by canceller,
              const std::function<std::optional<domain::notification>(const booking_record&)>& notice_of) {
  cancelled_stays cancelled;
  for (const auto i : locking_order(bookings))
    if (cancel(db, bookings[i], canceller)) cancelled.bookings.push_back(bookings[i]);
  if (cancelled.bookings.empty()) return cancelled;
  change freed{change_kind::calendar, {}, {}, cancelled.bookings};
  message_rows notices;
  std::unordered_map<domain::uuid, domain::uuid, domain::uuid_hash> accounts; // of the units
  std::vector<domain::booking> changed;
  for (const auto& record : find_bookings(db, cancelled.bookings)) {
    const auto& booking = record.booking;
    changed.push_back(booking);
    add_once(freed.accounts, booking.account_id);
    accounts.emplace(booking.unit_id, booking.account_id);
    if (const auto notice = notice_of(record)) notices.add(*notice);
  }
  insert(db, notices);
  // Another platform may have sold the nights that become free. Of this process, memory may know the
  // cancellations already, but not the blocks.
  std::vector<domain::uuid> units;
  units.reserve(accounts.size());
  for (const auto& [unit, account] : accounts) units.push_back(unit);
  // The event of the cancellations names these units, too.
  change blocked{change_kind::unit, {}, renew_calendar_blocks(db, units), {}, shown_resources{}};
  for (const auto& unit : blocked.units) add_once(blocked.accounts, accounts.at(unit));
  if (!blocked.units.empty()) cancelled.changes.push_back(std::move(blocked));
  record_booking_outcomes(db, changed);
  cancelled.changes.push_back(std::move(freed));
  return cancelled;
}

std::vector<std::optional<cancellation>>
cancel_for_platforms(session& db, const lease& held, std::span<const platform_cancellation> requests) {
  write_transaction txn(db, held);
  std::vector<std::optional<cancellation>> outcomes;
  std::vector<domain::uuid> bookings; // those of requests without a booking are nil
  for (const auto& request : requests) {
    outcomes.push_back(find_for_platform(db, request));
    bookings.push_back(outcomes.back() ? outcomes.back()->booking_id : domain::uuid{});
  }
  std::unordered_map<domain::uuid, const cancel_notice*, domain::uuid_hash> notices;
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (outcomes[i]) notices.emplace(bookings[i], &requests[i].notice);
  std::vector<domain::uuid> known = bookings;
  std::erase(known, domain::uuid{});
  // The office may have moved a booking while this transaction waited for its row.
  std::unordered_map<domain::uuid, domain::uuid, domain::uuid_hash> units;
  const auto cancelled =
      cancel_active(db, known, domain::cancelled_by::platform, [&](const booking_record& record) {
        units.emplace(record.booking.id, record.booking.unit_id);
        return std::optional((*notices.at(record.booking.id))(record));
      });
  std::vector<audit_entry> audit;
  auto left = cancelled.bookings; // a group may name a booking twice
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!outcomes[i]) continue;
    if (std::erase(left, bookings[i]) == 0) {
      outcomes[i] = find_for_platform(db, requests[i]); // it may have been cancelled while this one waited
      continue;
    }
    outcomes[i] = cancellation{bookings[i], units.at(bookings[i]), true, true, {}};
    audit.push_back(requests[i].audit);
  }
  if (cancelled.bookings.empty()) return outcomes;
  record_audit(db, audit);
  const auto change = append_all(db, cancelled.changes).back();
  txn.commit();
  for (auto& outcome : outcomes)
    if (outcome && outcome->done) outcome->change = change;
  return outcomes;
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

} // namespace roost::store
