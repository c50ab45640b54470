#pragma once

#include "service/support/booking_load.hpp"
#include "store/database/session.hpp"

#include <string>
#include <vector>

namespace roost::testing {

/// How many requests wait in the store for their decision.
std::int64_t undecided_requests(store::session& db);

/// Compares what clients submitted and were answered with what the store holds once every request is decided:
/// each acknowledged one is there and has one outcome with all that follows from it, no stays of a unit
/// share a night, no reference is booked twice, and nobody is refused without a reason. Gives every
/// difference, in words; stops at twenty.
std::vector<std::string> differences(store::session& db, const std::vector<submission>& submitted);

} // namespace roost::testing
