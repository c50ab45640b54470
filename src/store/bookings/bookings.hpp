#pragma once

#include "domain/booking.hpp"
#include "store/audit/audit.hpp"
#include "store/bookings/platform_change.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Lists, finds and cancels stored bookings.
namespace roost::store {

/// A booking with the names of its unit, property, city and company.
struct booking_record {
  domain::booking booking;
  domain::tenant tenant;
  std::string unit_name, city, company_name, currency;
  std::optional<domain::cancelled_by> cancelled_by;
  std::optional<domain::timestamp> cancelled_at;
  domain::uuid property_id{};
  std::string property_name;
  std::optional<domain::uuid> owner_id; ///< of the property
  domain::timestamp updated_at{};
  int revision = 0; ///< the number of changes of the stay
  store::platform_change platform_change;
};

/// Selects the bookings to list; unset members match every booking.
struct booking_filter {
  std::optional<domain::uuid> account, unit;
  std::optional<domain::booking_status> status;
  std::optional<std::string> platform, reference;
};

/// Returns the newest bookings first.
std::vector<booking_record> list_bookings(session& db, const booking_filter& filter, std::size_t limit);

std::optional<booking_record> find_booking(session& db, const domain::uuid& id);

/// Returns these bookings in no particular order, as far as they exist.
std::vector<booking_record> find_bookings(session& db, std::span<const domain::uuid> ids);

/// Reconstructs the request from its booking: the stay, the guest, the platform and its payment. Of a booking
/// that was made by hand, the id is nil, and without a platform its name is empty.
domain::booking_request request_of(const booking_record& record);

/// A platform's reference within one landlord's account. It identifies at most one booking, even a cancelled
/// one.
struct platform_reference {
  std::string platform, reference;
  domain::uuid account_id{};
};

std::optional<domain::booking_status> status_of(session& db, const platform_reference& booking);

/// Returns in-app notifications to landlords, newest first: those of `account`, or all if nullopt.
std::vector<domain::notification> list_notifications(session& db, std::optional<domain::uuid> account,
                                                     std::size_t limit);

/// The outcome of a platform's cancellation request.
struct cancellation {
  domain::uuid booking_id{};
  domain::uuid unit_id{}; ///< of the booking now: the office may have moved it
  bool done = false;      ///< the booking was active until now
  bool cancelled = false; ///< cancelled now or earlier; false if the stay is over
  stream_point change{};  ///< set if `done`; common to all cancellations of a transaction
};

/// Builds the notification to the landlord about the booking being cancelled.
using cancel_notice = std::function<domain::notification(const booking_record&)>;

/// A platform's request to cancel a booking.
struct platform_cancellation {
  platform_reference booking;
  domain::uuid unit_id{};
  cancel_notice notice;
  audit_entry audit = {}; ///< written if the booking was active
};

/// Cancels platforms' active bookings with these references, which are on these units or were moved by the
/// office, and stores the landlords' notifications in the same transaction, which also frees the nights.
/// Nothing is refunded (Partner API, Inbound webhooks). Returns an outcome for each request; nullopt if there
/// is no such booking. Throws lease_lost.
std::vector<std::optional<cancellation>>
cancel_for_platforms(session& db, const lease& held, std::span<const platform_cancellation> requests);

/// Waits for a cancellation whose commit is in doubt, then returns the booking's id if it is cancelled.
/// Throws unavailable if that transaction does not end in time.
std::optional<domain::uuid> settled_cancellation(session& db, const platform_reference& booking,
                                                 const domain::uuid& unit_id);

/// What a transaction that cancels bookings appends to the change stream at its end, in this order; empty if
/// none of the bookings was active.
struct cancelled_stays {
  std::vector<domain::uuid> bookings;
  std::vector<change> changes;
};

/// Cancels those of these bookings that are active, in the caller's transaction: all cancellations do this.
/// Frees the nights, restores the blocks of imported calendars on them, stores the notifications that
/// `notice_of` returns, and records the outcomes of the submissions: nothing that can wait may follow, except
/// the changes' positions.
cancelled_stays
cancel_active(session& db, std::span<const domain::uuid> bookings, domain::cancelled_by canceller,
              const std::function<std::optional<domain::notification>(const booking_record&)>& notice_of);

} // namespace roost::store
