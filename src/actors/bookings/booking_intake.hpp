#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "store/bookings/requests.hpp"
#include "store/bookings/submissions.hpp"

#include <memory>
#include <vector>

namespace roost::actors {

/// A checked booking request, with its id and time of arrival.
struct submit_booking {
  store::submission submission;
  /// When the caller stops waiting; afterwards the request is written only together with others still waited
  /// for.
  actors::deadline deadline;
};

/// The request is durable.
struct booking_accepted {};

/// The same for a request that must have a reference and that the platform may repeat.
struct put_booking {
  store::submission submission;
  actors::deadline deadline;
};

/// Acknowledges booking requests once they are durable. Requests that arrive during a commit share the next
/// one, so that disk latency limits the response time but not the throughput.
using booking_intake = caf::typed_actor<
    /// Responds with storage_error if the request could not be stored; it may be stored nevertheless, which
    /// is why partners retry with the same bookingId (Partner API, Errors, rule 4).
    caf::replies_to<submit_booking>::with<booking_accepted>,
    /// Responds with the receipt of the first submission with the reference; errors are the same. All such
    /// requests share one storage actor: the commit of a group shows the next one what was submitted.
    caf::replies_to<put_booking>::with<store::put_receipt>>;

/// Each storage actor commits one group at a time.
booking_intake spawn_booking_intake(class runtime& rt, std::vector<storage_actor> storage,
                                    std::shared_ptr<const held_lease> lease, metrics::registry& registry);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::put_receipt)
