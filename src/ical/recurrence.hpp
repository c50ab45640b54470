#pragma once

#include "domain/date.hpp"
#include "ical/broken_calendar.hpp"
#include "ical/local_time.hpp"
#include "ical/properties.hpp"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

/// Recurrence rules (RFC 5545, 3.3.10). libical parses them, but its iterator takes milliseconds per month
/// and can run for minutes on rules without occurrences, without a way to stop it. Calendars are untrusted,
/// so the occurrences are determined here, in bounded time.
namespace roost::ical {

enum class frequency { daily, weekly, monthly, yearly };

struct recurrence_rule {
  frequency every = frequency::daily;
  int interval = 1;
  int count = 0; ///< 0: no limit
  std::optional<moment> until;
  std::chrono::weekday week_start = std::chrono::Monday;
  // The BY parts; empty: not restricted. Negative numbers count from the end.
  std::vector<int> months, month_days, year_days, weeks, positions;
  /// Weekdays with their number in the month or year; 0: every one.
  std::vector<std::pair<std::chrono::weekday, int>> weekdays;
  std::vector<std::chrono::seconds> times; ///< of the day, in order
};

/// Returns the rule of an RRULE property, completed with what `start` determines. Throws broken_calendar for
/// rules that repeat more often than daily or more than 24 times a day, and for calendars other than the
/// Gregorian.
recurrence_rule rule_of(const icalproperty* property, const moment& start, const parsed_component& parsed);

/// Returns the occurrences of a rule from `start` on that are in `range`, in order; `until` is the local time
/// of the rule's UNTIL.
std::vector<local_time> occurrences(const recurrence_rule& rule, local_time start,
                                    std::optional<local_time> until, const domain::nights& range,
                                    work_limit& work);

} // namespace roost::ical
