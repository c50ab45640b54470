#pragma once

#include "store/bookings/booking_records.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"

#include <functional>

namespace roost::store {

/// The outcome of a platform's cancellation request.
struct cancellation {
  domain::uuid booking_id{};
  bool done = false;      ///< the booking was active until now
  bool cancelled = false; ///< cancelled now or earlier; false if the stay is over
  stream_point change{};  ///< set if `done`
};

/// Builds the notification to the landlord about the booking being cancelled.
using cancel_notice = std::function<domain::notification(const booking_record&)>;

/// Cancels a platform's active booking with this reference on this unit and stores the landlord's
/// notification in the same transaction, which also frees the nights. Nothing is refunded (Partner API,
/// Inbound webhooks). Returns nullopt if there is no such booking. Throws lease_lost.
std::optional<cancellation> cancel_for_platform(session& db, const lease& held,
                                                const platform_reference& booking,
                                                const domain::uuid& unit_id, const cancel_notice& notice);

/// Waits for a cancellation whose commit is in doubt, then returns the booking's id if it is cancelled.
/// Throws unavailable if that transaction does not end in time.
std::optional<domain::uuid> settled_cancellation(session& db, const platform_reference& booking,
                                                 const domain::uuid& unit_id);

/// The outcome of a landlord's own cancellation.
struct landlord_cancellation {
  bool done = false;     ///< false if the stay is over or already cancelled; then nothing was written
  stream_point change{}; ///< the entry from which a running server learns of it
};

/// Cancels a booking from the command line and stores the landlord's notification, unless `notice` is empty,
/// in the same transaction, which also frees the nights. Returns nullopt if there is no booking with this id.
std::optional<landlord_cancellation> cancel_for_landlord(session& db, const domain::uuid& booking,
                                                         const cancel_notice& notice = {});

} // namespace roost::store
