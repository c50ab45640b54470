#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roost::ical {

/// An event or a time zone: its BEGIN, its END, and between them the lines that determine nights.
struct component {
  std::size_t line = 0; ///< of its BEGIN in the calendar, from 1
  std::string text;     ///< unfolded lines that end in LF
};

struct components {
  std::vector<component> events;
  std::vector<component> zones;
};

/// Returns the events and time zones of all calendars in a text, in order. Accepts CR LF and LF, folded lines
/// (RFC 5545, 3.1), names in any case and a byte order mark; ignores lines outside of calendars. Only lines
/// that determine nights are kept, so neither the charset of descriptions nor properties of vendors matter.
/// Throws broken_calendar if there is no calendar, if components are not balanced (a calendar that was
/// truncated), and for NUL bytes.
components read_components(std::string_view text);

} // namespace roost::ical
