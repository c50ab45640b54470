#pragma once

#include "domain/short_text.hpp"

#include <chrono>
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

} // namespace roost::domain
