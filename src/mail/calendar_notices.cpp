#include "mail/calendar_notices.hpp"

#include "domain/text.hpp"

#include <string>

namespace roost::mail {

namespace {

std::string describe(const domain::nights& nights) {
  const auto first = domain::written_out(nights.first);
  if (nights.first == nights.last) return "the night of " + first;
  return "the nights from " + first + " to " + domain::written_out(nights.last);
}

} // namespace

domain::notification calendar_conflict_notice(const domain::uuid& id, domain::timestamp now,
                                              const domain::uuid& account_id, const calendar_facts& calendar,
                                              const domain::nights& nights) {
  const auto unit = domain::one_line(calendar.unit), name = domain::one_line(calendar.name);
  return {.id = id,
          .account_id = account_id,
          .kind = "calendar_conflict",
          .title = "Nights taken twice: " + unit,
          .body = "The calendar " + name + " has an event on " + describe(nights) +
                  ". A booking, or the calendar of another host, has some of these nights, too. Nothing was "
                  "cancelled. Please settle it with one of the guests.",
          .created_at = now};
}

domain::notification failing_calendar_notice(const domain::uuid& id, domain::timestamp now,
                                             const domain::uuid& account_id, const calendar_facts& calendar,
                                             std::string_view problem) {
  const auto unit = domain::one_line(calendar.unit), name = domain::one_line(calendar.name);
  return {.id = id,
          .account_id = account_id,
          .kind = "calendar_failing",
          .title = "Calendar not read: " + unit,
          .body = "The calendar " + name + " could not be read several times: " + domain::one_line(problem) +
                  ". Its nights stay blocked as they were read last, and new ones are missing. Please check "
                  "its address.",
          .created_at = now};
}

} // namespace roost::mail
