#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "domain/booking.hpp"

#include <memory>

namespace roost::actors {

/// A checked booking request, with its id and time of arrival.
struct submit_booking {
  domain::booking_request request;
  /// When the caller stops waiting; afterwards the request is written only together with others still waited
  /// for.
  actors::deadline deadline;
};

/// The request is durable.
struct booking_accepted {};

/// Acknowledges booking requests once they are durable. Requests that arrive during a commit share the next
/// one, so that disk latency limits the response time but not the throughput.
using booking_intake = caf::typed_actor<
    /// Responds with storage_error if the request could not be stored; it may be stored nevertheless, which
    /// is why partners retry with the same bookingId (Partner API, Errors, rule 4).
    caf::replies_to<submit_booking>::with<booking_accepted>>;

/// Each storage actor commits one group at a time.
booking_intake spawn_booking_intake(class runtime& rt, std::vector<storage_actor> storage,
                                    std::shared_ptr<const held_lease> lease, metrics::registry& registry);

} // namespace roost::actors
