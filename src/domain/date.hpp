#pragma once

#include "domain/text.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::domain {

/// A number of days in 32 bits: memory holds millions of dates.
using days = std::chrono::duration<std::int32_t, std::chrono::days::period>;

/// A calendar day of the proleptic Gregorian calendar; "today" is the UTC day.
using date = std::chrono::sys_time<days>;

/// Converts a date of the standard library, also a year_month_day.
constexpr date date_of(std::chrono::sys_days day) { return day; }

/// A point in time in UTC with millisecond precision.
using timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

/// Returns the UTC day of a timestamp.
inline date day_of(timestamp moment) { return std::chrono::floor<days>(moment); }

/// Parses an existing calendar day, `YYYY-MM-DD`, years 0001 to 9999; nullopt for anything else.
std::optional<date> parse_date(std::string_view text);

/// Formats a date as `YYYY-MM-DD`.
short_text<10> to_short_text(date day);
std::string to_string(date day);

/// Parses the format of to_string(timestamp). The milliseconds and the `Z` are optional, `T` may be a space,
/// and `+00` may replace the `Z`.
std::optional<timestamp> parse_timestamp(std::string_view text);

/// Formats a timestamp as ISO 8601 in UTC with milliseconds: `2026-11-20T09:30:00.000Z`.
short_text<24> to_short_text(timestamp moment);
std::string to_string(timestamp moment);

/// Returns the same day `months` months later, clamped to that month's last day.
date add_months(date day, int months);

/// Returns the whole months from `from` to `to`, rounded down; 0 if `to` is not later.
int full_months_between(date from, date to);

/// Returns the first day of a date's month.
inline date first_of_month(date day) {
  const std::chrono::year_month_day whole{day};
  return date_of(whole.year() / whole.month() / 1);
}

/// Returns the month of a date; January is 1.
inline unsigned month_of(date day) { return static_cast<unsigned>(std::chrono::year_month_day{day}.month()); }

/// A range of nights, both ends inclusive. A night has the date of the evening on which it starts.
struct nights {
  date first{};
  date last{};

  friend bool operator==(const nights&, const nights&) = default;
};

/// The last night of a block without end.
inline constexpr date no_end = date_of(std::chrono::year{9999} / 12 / 31);

/// Returns the nights of a stay: check-in to the day before check-out. Requires check_in < check_out.
inline nights stay_nights(date check_in, date check_out) { return {check_in, check_out - days{1}}; }

/// Returns whether two ranges share a night.
inline bool overlap(const nights& a, const nights& b) { return a.first <= b.last && b.first <= a.last; }

/// Parses a date, or a date with a time, in any form of ISO 8601 that JavaScript validators accept: calendar,
/// week and ordinal dates, the basic and the extended format, a fraction of the last unit, an offset. Missing
/// parts take their lowest value (a year alone is its first moment, a date alone its midnight), and a missing
/// offset is UTC. A day beyond the end of its month continues into the next month. Fractions are truncated to
/// milliseconds.
std::optional<timestamp> parse_iso_moment(std::string_view text);

/// Formats a date for people: `1 February 2027`.
std::string written_out(date day);

/// Formats the month of a date for people: `February 2027`.
std::string month_written_out(date day);

/// Formats a timestamp for people: `1 February 2027, 09:30 UTC`.
std::string written_out(timestamp moment);

/// Formats a duration in the largest unit that divides it: `10 minutes`, `1 hour`, `90 seconds`.
std::string written_out(std::chrono::seconds time);

/// Formats a count with its noun: `1 person`, `2 people`.
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

} // namespace roost::domain
