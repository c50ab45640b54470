#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <span>
#include <vector>

/// The blocks that the events of imported calendars become.
namespace roost::store {

/// Locks the unit's calendars: every transaction that writes one of them does so first, so that two of them
/// never wait for each other.
void lock_calendars(session& db, const domain::uuid& unit);

/// Makes the blocks of the units' calendars what their events and the units' bookings require: each event
/// blocks its nights that no booking has. Returns the units whose blocks changed; the caller appends that to
/// the change stream. Locks the calendars, so that two transactions never do this for one unit.
///
/// Every transaction that frees nights of a booking must call this: another platform may have sold them.
std::vector<domain::uuid> renew_calendar_blocks(session& db, std::span<const domain::uuid> units);

} // namespace roost::store
