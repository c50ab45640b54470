#pragma once

#include "domain/calendar.hpp"
#include "domain/date.hpp"
#include "domain/unit.hpp"

#include <string>
#include <string_view>

namespace roost::listings {

/// A writer of an iCalendar object's content lines (RFC 5545, 3.1). Each ends in CR LF and is folded so that
/// no line of the text exceeds 75 octets; a fold never splits a UTF-8 character.
class content_lines {
public:
  /// Reserves `expected` octets; the text may exceed them.
  explicit content_lines(std::size_t expected = 0) { text_.reserve(expected); }

  /// Adds a property whose value needs no escaping: dates, constants. `name` includes its parameters.
  void add(std::string_view name, std::string_view value);

  /// Adds a property of type TEXT (RFC 5545, 3.3.11), with backslashes, semicolons, commas and line breaks of
  /// `value` escaped. Control characters that values must not contain are omitted.
  void add_text(std::string_view name, std::string_view value);

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

private:
  void end_line();

  std::string text_;
  std::size_t line_start_ = 0;
};

/// Returns a unit's calendar as an iCalendar object (RFC 5545; Partner API, Calendar export): an event for
/// each block, and one for the nights after the unit's Short-term iCal Max Date. A calendar without events
/// has the time zone UTC, because the grammar requires at least one component (RFC 5545, 3.6) and consumers
/// interpret any event as blocked nights.
///
/// Blocks that came from `reader`, the requesting short-term host or empty, are omitted. The text is the same
/// for the same data; `today` only moves the shown end of nights without end, once a year. The text has no
/// tenant's data, and does not reveal the unit's id, because the calendar's address is a secret.
std::string to_ical(const domain::unit& unit, const domain::calendar& blocked, std::string_view reader,
                    domain::date today);

} // namespace roost::listings
