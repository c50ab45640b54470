#include "store/bookings/cancellations.hpp"

#include "store/columns/enum_text.hpp"
#include "store/database/connection.hpp"
#include "store/database/transaction.hpp"
#include "store/messages/messages.hpp"

namespace roost::store {

namespace {

const selection booking_of_reference{"booking_of_reference",
                                     "select {columns} from bookings where platform = :platform"
                                     " and reference = :reference and account_id = :account"
                                     " and unit_id = :unit",
                                     named<domain::uuid>("id")};
/// Of two cancels at the same time the second one waits for the first, and then finds nothing to do.
constexpr query cancel_active{
    "cancel_active",
    "update bookings set status = 'cancelled', cancelled_by = :who, cancelled_at = {now}, updated_at = {now}"
    " where id = :id and status in ('confirmed', 'checked_in')"};
const selection cancelled_of_reference{"cancelled_of_reference",
                                       "select {columns} from bookings where platform = :platform"
                                       " and reference = :reference and account_id = :account"
                                       " and unit_id = :unit and status = 'cancelled'",
                                       named<domain::uuid>("id")};
/// Whatever its status is: a row that a condition leaves out is not waited for.
const selection settled_status{"settled_status",
                               {"select {columns} from bookings where platform = :platform"
                                " and reference = :reference and account_id = :account"
                                " and unit_id = :unit for share",
                                "select {columns} from bookings where platform = :platform"
                                " and reference = :reference and account_id = :account"
                                " and unit_id = :unit"},
                               named<domain::uuid>("id"),
                               named<domain::booking_status>("status")};
const selection account_of_booking{"account_of_booking", "select {columns} from bookings where id = :id",
                                   named<domain::uuid>("account_id")};

parameters naming(const platform_reference& booking, const domain::uuid& unit_id) {
  return {{"platform", to_cell(booking.platform)},
          {"reference", to_cell(booking.reference)},
          {"account", to_cell(booking.account_id)},
          {"unit", to_cell(unit_id)}};
}

stream_point note_cancel(session& db, const domain::uuid& booking, const domain::uuid& account) {
  return append(db, {change_kind::calendar, {account}, {}, {booking}});
}

bool cancel(session& db, const domain::uuid& booking, domain::cancelled_by who) {
  return db.internals().write(cancel_active,
                              {{"id", to_cell(booking)}, {"who", to_cell(domain::to_string(who))}}) > 0;
}

} // namespace

std::optional<cancellation> cancel_for_platform(session& db, const lease& held,
                                                const platform_reference& booking,
                                                const domain::uuid& unit_id, const cancel_notice& notice) {
  write_transaction within(db, held);
  const auto id = db.internals().read_one(booking_of_reference, naming(booking, unit_id));
  if (!id) return std::nullopt;
  if (!cancel(db, *id, domain::cancelled_by::platform))
    return cancellation{*id,
                        false,
                        db.internals().read_one(cancelled_of_reference, naming(booking, unit_id)).has_value(),
                        {}};
  message_rows messages;
  messages.add(notice(*find_booking(db, *id)));
  insert(db, messages);
  const auto change = note_cancel(db, *id, booking.account_id);
  within.commit();
  return cancellation{*id, true, true, change};
}

std::optional<domain::uuid> settled_cancellation(session& db, const platform_reference& booking,
                                                 const domain::uuid& unit_id) {
  const settled_read within(db);
  std::optional<domain::uuid> cancelled;
  db.internals().read(settled_status, naming(booking, unit_id),
                      [&](const domain::uuid& id, domain::booking_status status) {
                        if (status == domain::booking_status::cancelled) cancelled = id;
                      });
  return cancelled;
}

std::optional<landlord_cancellation> cancel_for_landlord(session& db, const domain::uuid& booking,
                                                         const cancel_notice& notice) {
  transaction within(db, transaction::purpose::write);
  const auto account = db.internals().read_one(account_of_booking, {{"id", to_cell(booking)}});
  if (!account) return std::nullopt;
  landlord_cancellation outcome;
  outcome.done = cancel(db, booking, domain::cancelled_by::landlord);
  if (!outcome.done) return outcome;
  if (notice) {
    message_rows messages;
    messages.add(notice(*find_booking(db, booking)));
    insert(db, messages);
  }
  outcome.change = note_cancel(db, booking, *account);
  within.commit();
  return outcome;
}

} // namespace roost::store
