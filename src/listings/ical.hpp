#pragma once

#include "domain/calendar.hpp"
#include "domain/date.hpp"
#include "domain/unit.hpp"

#include <string>
#include <string_view>

namespace roost::listings {

/// Returns a unit's calendar as an iCalendar object (RFC 5545; Partner API, Calendar export): an event for
/// each block, and one for the nights after the unit's Short-term iCal Max Date. A calendar without events
/// has the time zone UTC, because the grammar requires at least one component (RFC 5545, 3.6) and consumers
/// interpret any event as blocked nights.
///
/// Blocks that came from `reader`, the requesting short-term host or empty, are omitted. The text is the same
/// for the same data; `today` only moves the shown end of nights without end, once a year. The text has no
/// tenant's data, and does not reveal the unit's id, because the calendar's address is a secret.
std::string to_ical(const domain::unit& of, const domain::calendar& blocked, std::string_view reader,
                    domain::date today);

} // namespace roost::listings
