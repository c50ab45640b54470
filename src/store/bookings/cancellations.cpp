#include "store/bookings/cancellations.hpp"

#include "store/columns/enum_text.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"

namespace roost::store {

namespace {

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
