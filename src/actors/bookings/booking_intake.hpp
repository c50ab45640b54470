#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "domain/booking.hpp"

#include <caf/typed_actor.hpp>

#include <memory>

namespace roost::actors {

/// A checked booking request, with its id and time of arrival.
struct submit_booking {
  domain::booking_request request;
  /// Nobody waits for the answer any longer; later the request is written only beside one that is waited for.
  actors::deadline deadline;
};

/// The request is durable.
struct booking_accepted {};

/// Acknowledges booking requests once they are durable. What arrives while a commit is under way goes into
/// the next one together, so that the disk's latency bounds the wait and not the rate.
using booking_intake = caf::typed_actor<
    /// Answers storage_error when the request could not be stored; it may be stored nevertheless, which is
    /// why partners repeat with the same bookingId (Partner API, Errors, rule 4).
    caf::replies_to<submit_booking>::with<booking_accepted>>;

/// As many groups are committed at the same time as there are storage actors.
booking_intake spawn_booking_intake(class runtime& rt, std::vector<storage_actor> storage,
                                    std::shared_ptr<const held_lease> lease, metrics::registry& registry);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::submit_booking)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::booking_accepted)
