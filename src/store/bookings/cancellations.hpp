#pragma once

#include "store/bookings/booking_records.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"

#include <cstdint>
#include <functional>

namespace roost::store {

/// The booking that a cancel names.
struct cancellation {
  domain::uuid booking_id{};
  bool done = false;      ///< it was active until now
  bool cancelled = false; ///< it is cancelled, by this or before; false: the stay is over
  stream_point change{};  ///< if it is done
};

/// Tells a landlord of the booking that is being cancelled.
using cancel_notice = std::function<domain::notification(const booking_record&)>;

/// Cancels the active booking of this reference on this unit for its platform, with what the landlord is
/// told; its nights are free with the same commit, and nothing is refunded (Partner API, Inbound webhooks).
/// Nothing when there is no such booking. Throws lease_lost.
std::optional<cancellation> cancel_for_platform(session& db, const lease& held,
                                                const platform_reference& booking,
                                                const domain::uuid& unit_id, const cancel_notice& notice);

/// The booking that this names, if it is cancelled, after a cancel that nobody knows the end of is through.
/// Throws unavailable while it is not.
std::optional<domain::uuid> settled_cancellation(session& db, const platform_reference& booking,
                                                 const domain::uuid& unit_id);

/// The outcome of a landlord's own cancel.
struct landlord_cancellation {
  bool done = false;     ///< false: the booking is over or cancelled already, and nothing was changed
  stream_point change{}; ///< with which a running server picks it up
};

/// Cancels a booking from the command line, with what the landlord is told; its nights are free with the same
/// commit. Nothing when there is none with this id. No notice: nobody is told.
std::optional<landlord_cancellation> cancel_for_landlord(session& db, const domain::uuid& booking,
                                                         const cancel_notice& notice = {});

} // namespace roost::store
