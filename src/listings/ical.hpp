#pragma once

#include "domain/calendar.hpp"
#include "domain/date.hpp"
#include "domain/unit.hpp"

#include <string>
#include <string_view>

namespace roost::listings {

/// A unit's calendar as an iCalendar object (RFC 5545; Partner API, Calendar export): an event for each
/// block, and one for the nights after the unit's Short-term iCal Max Date. A calendar without any of them
/// holds the time zone UTC, as the grammar asks for one component at least (RFC 5545, 3.6) and consumers take
/// any event for blocked nights.
///
/// The blocks that came from `reader` are left out: the short-term host that asks, or empty. The text is the
/// same for the same data; `today` only moves the end that must be invented for nights without one, once a
/// year. No tenant's data is in it, and the unit's id cannot be told from it: the calendar's address is a
/// secret.
std::string to_ical(const domain::unit& of, const domain::calendar& blocked, std::string_view reader,
                    domain::date today);

} // namespace roost::listings
