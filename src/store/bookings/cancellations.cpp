#include "store/bookings/cancellations.hpp"

#include "store/columns/enum_text.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"

namespace roost::store {

namespace {

/// Of two cancels at the same time the second one waits for the first, and then finds nothing to do.
texts_by_dialect cancel_active(const std::string& which) {
  return {"update bookings set status = 'cancelled', cancelled_by = :who, cancelled_at = {now},"
          " updated_at = {now} where " +
              which + " and status in ('confirmed', 'checked_in') returning {columns}",
          {}};
}

const std::string of_reference =
    "platform = :platform and reference = :reference and account_id = :account and unit_id = :unit";
const std::string status_text = "select {columns} from bookings where " + of_reference;

const selection cancel_by_id{"cancel_by_id", cancel_active("id = :id"), named<domain::uuid>("account_id")};
const selection cancel_of_reference{"cancel_of_reference", cancel_active(of_reference),
                                    named<domain::uuid>("id")};
const selection status_of_reference{"status_of_reference", texts_by_dialect{status_text, {}},
                                    named<domain::uuid>("id"), named<domain::booking_status>("status")};
/// Whatever its status is: a row that a condition leaves out is not waited for.
const selection settled_status{"settled_status", texts_by_dialect{status_text + " for share", status_text},
                               named<domain::uuid>("id"), named<domain::booking_status>("status")};

parameters naming(const platform_reference& booking, const domain::uuid& unit_id) {
  return {{"platform", to_cell(booking.platform)},
          {"reference", to_cell(booking.reference)},
          {"account", to_cell(booking.account_id)},
          {"unit", to_cell(unit_id)}};
}

stream_point note_cancel(session& db, const domain::uuid& booking, const domain::uuid& account) {
  return append(db, {change_kind::calendar, {account}, {}, {booking}});
}

/// The booking that cannot be cancelled any more; nothing where there is no such booking.
std::optional<cancellation> found_inactive(session& db, const platform_reference& booking,
                                           const domain::uuid& unit_id) {
  std::optional<cancellation> found;
  db.internals().read(status_of_reference, naming(booking, unit_id),
                      [&](const domain::uuid& id, domain::booking_status status) {
                        found = {id, false, status == domain::booking_status::cancelled, {}};
                      });
  return found;
}

} // namespace

std::optional<cancellation> cancel_for_platform(session& db, const lease& held,
                                                const platform_reference& booking,
                                                const domain::uuid& unit_id, const cancel_notice& notice) {
  write_transaction txn(db, held);
  auto with = naming(booking, unit_id);
  with.emplace_back("who", to_cell(domain::to_string(domain::cancelled_by::platform)));
  const auto id = db.internals().read_one(cancel_of_reference, with);
  if (!id) return found_inactive(db, booking, unit_id);
  message_rows messages;
  messages.add(notice(*find_booking(db, *id)));
  insert(db, messages);
  const auto change = note_cancel(db, *id, booking.account_id);
  txn.commit();
  return cancellation{*id, true, true, change};
}

std::optional<domain::uuid> settled_cancellation(session& db, const platform_reference& booking,
                                                 const domain::uuid& unit_id) {
  const settled_read txn(db);
  std::optional<domain::uuid> cancelled;
  db.internals().read(settled_status, naming(booking, unit_id),
                      [&](const domain::uuid& id, domain::booking_status status) {
                        if (status == domain::booking_status::cancelled) cancelled = id;
                      });
  return cancelled;
}

std::optional<landlord_cancellation> cancel_for_landlord(session& db, const domain::uuid& booking,
                                                         const cancel_notice& notice) {
  transaction txn(db, transaction::purpose::write);
  const auto who = to_cell(domain::to_string(domain::cancelled_by::landlord));
  const auto account = db.internals().read_one(cancel_by_id, {{"id", to_cell(booking)}, {"who", who}});
  const auto record = find_booking(db, booking);
  if (!record) return std::nullopt;
  landlord_cancellation outcome{account.has_value(), {}};
  if (!outcome.done) return outcome;
  if (notice) {
    message_rows messages;
    messages.add(notice(*record));
    insert(db, messages);
  }
  outcome.change = note_cancel(db, booking, *account);
  txn.commit();
  return outcome;
}

} // namespace roost::store
