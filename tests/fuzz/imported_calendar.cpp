#include "domain/date.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "ical/blocked_nights.hpp"

#include <string>
#include <tuple>
#include <vector>

/// Calendars of other hosts.
namespace roost::fuzz::imported_calendar {
namespace {

using domain::nights;

std::vector<nights> read(std::string_view text) {
  static const auto today = *domain::parse_date("2026-11-28");
  auto all = ical::blocked_nights(text, today);
  const auto first = domain::add_months(today, -12), last = domain::add_months(today, 60);
  for (std::size_t i = 0; i < all.size(); ++i) {
    require(all[i].first <= all[i].last, "a range has a night");
    require(all[i].last + domain::days{1} >= first && all[i].first <= last, "a range is in the window");
    require(all[i].first >= *domain::parse_date("0001-01-01") && all[i].last <= domain::no_end,
            "a night can be stored");
    if (i > 0)
      require(std::tie(all[i - 1].first, all[i - 1].last) < std::tie(all[i].first, all[i].last),
              "ranges are sorted, each once");
  }
  return all;
}

/// Appends a calendar with one event.
std::string with_another_event(std::string_view text) {
  return std::string(text) + "\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20270514\nEND:VEVENT\nEND:VCALENDAR\n";
}

void check(std::string_view input) {
  std::vector<nights> all;
  try {
    all = read(input);
  } catch (const ical::broken_calendar& error) {
    require_one_line(error.what());
    return;
  }
  std::string other_ends;
  for (const char c : input) (c == '\n' ? other_ends += "\r\n" : other_ends += c);
  require(read(other_ends) == all, "line ends do not matter");
  try {
    const auto more = read(with_another_event(input));
    require(more.size() == all.size() || more.size() == all.size() + 1, "an event adds its nights only");
  } catch (const ical::broken_calendar&) { // at a limit
  }
}

const target registered{"imported_calendar", "CalendarsAreBrokenOrBlockNightsOfTheWindow", check};

} // namespace
} // namespace roost::fuzz::imported_calendar
