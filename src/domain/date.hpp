#pragma once

#include "domain/text.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::domain {

/// A calendar day of the proleptic Gregorian calendar; "today" is the UTC day.
using date = std::chrono::sys_days;

/// A moment in UTC with milliseconds.
using timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

using std::chrono::days;

/// The UTC day of a moment.
inline date day_of(timestamp moment) { return std::chrono::floor<days>(moment); }

/// Reads a real calendar day written `YYYY-MM-DD`, years 0001 to 9999.
std::optional<date> parse_date(std::string_view text);

/// `YYYY-MM-DD`.
short_text<10> to_short_text(date day);
std::string to_string(date day);

/// Reads what to_string(timestamp) writes; the milliseconds and the `Z` may be missing, a space may stand for
/// the `T`.
std::optional<timestamp> parse_timestamp(std::string_view text);

/// ISO 8601 in UTC with milliseconds: `2026-11-20T09:30:00.000Z`.
short_text<24> to_short_text(timestamp moment);
std::string to_string(timestamp moment);

/// The same day `months` later, clamped to that month's last day.
date add_months(date day, int months);

/// Whole months from `from` to `to`, rounded down; 0 when `to` is not later.
int full_months_between(date from, date to);

/// January is 1.
inline unsigned month_of(date day) { return static_cast<unsigned>(std::chrono::year_month_day{day}.month()); }

/// A run of nights, both ends inclusive. A night is named by the day on whose evening it starts.
struct nights {
  date first{};
  date last{};

  friend bool operator==(const nights&, const nights&) = default;
};

/// The last night of a block that has no end.
inline constexpr date no_end = date{std::chrono::year{9999} / 12 / 31};

/// The nights of a stay: check-in to the day before check-out. Needs check_in < check_out.
inline nights stay_nights(date check_in, date check_out) { return {check_in, check_out - days{1}}; }

/// Whether two runs share a night.
inline bool overlap(const nights& a, const nights& b) { return a.first <= b.last && b.first <= a.last; }

/// Reads a date, or a date with a time, in any form of ISO 8601 that JavaScript validators take for one:
/// calendar, week and ordinal dates, the basic and the extended format, a fraction of the last unit, an
/// offset. What is left out is the first of its kind (a year alone is its first moment, a date alone its
/// midnight), and without an offset it is UTC. A day that its month does not have counts on into the next
/// month. Milliseconds; what is smaller is cut off.
std::optional<timestamp> parse_iso_moment(std::string_view text);

/// `1 February 2027`.
std::string written_out(date day);

/// `1 February 2027, 09:30 UTC`.
std::string written_out(timestamp moment);

/// `10 minutes`, `1 hour`, `90 seconds`.
std::string written_out(std::chrono::seconds time);

/// `1 person`, `2 people`.
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

} // namespace roost::domain
