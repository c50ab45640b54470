#pragma once

#include "domain/booking.hpp"
#include "domain/uuid.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <optional>
#include <span>
#include <string>

/// Holds of nights that booking requests take over, in the transactions that store, decide or withdraw them.
namespace roost::store {

/// Lets a request claim a hold of its platform with the same external ID, so that it does not expire any
/// more. One that has expired but not ended yet can be claimed: its nights are not free yet. Does nothing if
/// there is none: then the request is an ordinary one.
void claim_hold(session& db, const domain::booking_request& by, const std::string& hold_id);

/// Ends the holds that these requests have claimed. Returns the change of their units, which the transaction
/// must append to the change stream; nullopt if there are none.
std::optional<change> end_claimed_holds(session& db, std::span<const domain::uuid> requests);

} // namespace roost::store
