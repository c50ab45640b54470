#pragma once

#include "domain/date.hpp"
#include "ical/broken_calendar.hpp"

#include <string_view>
#include <vector>

namespace roost::ical {

/// Returns the nights that the events of a calendar (RFC 5545) block, sorted by first night, then last, each
/// range once. Ranges may overlap. Events that ended more than a year before `today` or start more than five
/// years after it are left out.
///
/// - A DATE blocks the nights from DTSTART to the day before DTEND, at least one: an event of a day without
///   DTEND (3.6.1), or with the DTEND that many exporters write for it, DTSTART itself (3.8.2.2 forbids
///   that).
/// - A DATE-TIME blocks the nights between the local dates of its start and end, each as its own time zone
///   shows it: 15:00 on Friday to 11:00 on Sunday blocks two nights, an event within one date none.
/// - Events with TRANSP:TRANSPARENT or STATUS:CANCELLED block nothing; all others do.
/// - Recurring events block each occurrence within the window: DTSTART, RRULE and RDATE without EXDATE. An
///   event with a RECURRENCE-ID replaces that occurrence; with RANGE=THISANDFUTURE it also moves and changes
///   the later ones in the same way (3.8.4.4), because otherwise they would block their old nights.
///
/// No text of the calendar is kept, and its charset does not matter. Throws broken_calendar rather than
/// returning fewer nights than the calendar has: for a text that is not a calendar or is truncated, for an
/// event without a start or with invalid dates or rules, for rules that repeat more often than daily, and for
/// more than 10,000 ranges or rules. A calendar without events is valid. Takes about a second of processor
/// time and 200 MB at most for a text of 4 MiB. Thread-safe: calls share only libical's zones of the system,
/// which they load under a lock; other code must not use libical's built-in zones.
std::vector<domain::nights> blocked_nights(std::string_view text, domain::date today);

} // namespace roost::ical
