#include "ical/recurrence.hpp"

#include <algorithm>
#include <cstdint>

namespace roost::ical {

namespace {

using domain::date;
using domain::date_of;
using domain::days;
using std::chrono::year_month_day;

int number_of(std::chrono::day day) { return static_cast<int>(static_cast<unsigned>(day)); }
int number_of(std::chrono::month month) { return static_cast<int>(static_cast<unsigned>(month)); }

/// Whether a list of BY values is empty or contains a number, counted from 1 or, as -1, from the end of
/// `size`.
bool allows(const std::vector<int>& values, int number, int size) {
  return values.empty() || std::ranges::any_of(values, [&](int value) {
           return value == number || value == number - size - 1;
         });
}

date start_of_week(date day, std::chrono::weekday week_start) {
  return day - days{static_cast<int>((std::chrono::weekday{day} - week_start).count())};
}

/// Returns the first day of a year's week 1, which is the first one with at least four days in the year.
date first_week(std::chrono::year year, std::chrono::weekday week_start) {
  return start_of_week(date_of(year / 1 / 4), week_start);
}

bool allows_week(const recurrence_rule& rule, date day) {
  if (rule.weeks.empty()) return true;
  constexpr days half{3};
  constexpr int week = 7;
  const auto start = start_of_week(day, rule.week_start);
  const auto year = year_month_day{start + half}.year();
  const auto first = first_week(year, rule.week_start);
  const auto next = first_week(year + std::chrono::years{1}, rule.week_start);
  return allows(rule.weeks, (start - first).count() / week + 1, (next - first).count() / week);
}

/// A span of days in which numbered weekdays are counted.
domain::nights counted_span(const recurrence_rule& rule, const year_month_day& day) {
  if (rule.every == frequency::yearly && rule.months.empty())
    return {date_of(day.year() / 1 / 1), date_of(day.year() / 12 / 31)};
  const auto month = day.year() / day.month();
  return {date_of(month / 1), date_of(month / std::chrono::last)};
}

bool allows_weekday(const recurrence_rule& rule, date day, const year_month_day& parts) {
  if (rule.weekdays.empty()) return true;
  const std::chrono::weekday weekday{day};
  const auto span = counted_span(rule, parts);
  constexpr int week = 7;
  const int from_start = (day - span.first).count() / week + 1,
            from_end = -((span.last - day).count() / week + 1);
  return std::ranges::any_of(rule.weekdays, [&](const auto& allowed) {
    return allowed.first == weekday &&
           (allowed.second == 0 || allowed.second == from_start || allowed.second == from_end);
  });
}

bool allows_day(const recurrence_rule& rule, date day, const year_month_day& parts) {
  const auto last_of_month = year_month_day{parts.year() / parts.month() / std::chrono::last}.day();
  const auto new_year = date_of(parts.year() / 1 / 1);
  const auto next_year = date_of((parts.year() + std::chrono::years{1}) / 1 / 1);
  return allows(rule.month_days, number_of(parts.day()), number_of(last_of_month)) &&
         allows(rule.year_days, (day - new_year).count() + 1, (next_year - new_year).count()) &&
         allows_week(rule, day) && allows_weekday(rule, day, parts);
}

/// The periods of a rule: days, weeks, months or years, counted from the one that contains the start.
class periods {
public:
  periods(const recurrence_rule& rule, date start) : rule_(rule), start_(start) {
    const year_month_day parts{start};
    if (rule.every == frequency::weekly) start_ = start_of_week(start, rule.week_start);
    if (rule.every == frequency::monthly) start_ = date_of(parts.year() / parts.month() / 1);
    if (rule.every == frequency::yearly) start_ = date_of(parts.year() / 1 / 1);
  }

  /// Returns the days of a period, or nullopt after the year 9999.
  std::optional<domain::nights> at(std::int64_t index) const {
    constexpr int week = 7, year = 12;
    const auto step = index * rule_.interval;
    switch (rule_.every) {
    case frequency::daily:
      return days_from(step, 1);
    case frequency::weekly:
      return days_from(step * week, week);
    case frequency::monthly:
      return months_from(step, 1);
    case frequency::yearly:
      return months_from(step * year, year);
    }
    return std::nullopt;
  }

  /// Returns the index of a period that is not after the one that contains `day`, and close to it.
  std::int64_t before(date day) const {
    constexpr int longest_month = 31, longest_year = 366, week = 7;
    const int length = rule_.every == frequency::daily     ? 1
                       : rule_.every == frequency::weekly  ? week
                       : rule_.every == frequency::monthly ? longest_month
                                                           : longest_year;
    return std::max(0, (day - start_).count()) / (std::int64_t{length} * rule_.interval);
  }

private:
  std::optional<domain::nights> days_from(std::int64_t step, int length) const {
    if (step > (domain::no_end - start_).count() - length) return std::nullopt;
    const auto first = start_ + days{static_cast<int>(step)};
    return domain::nights{first, first + days{length - 1}};
  }
  std::optional<domain::nights> months_from(std::int64_t step, int length) const {
    constexpr std::int64_t months_of_all_years = 12 * 9999;
    if (step > months_of_all_years) return std::nullopt;
    const auto first = domain::add_months(start_, static_cast<int>(step));
    const auto next = domain::add_months(first, length);
    if (first >= domain::no_end || next > domain::no_end) return std::nullopt;
    return domain::nights{first, next - days{1}};
  }

  const recurrence_rule& rule_;
  date start_;
};

/// Returns the occurrences in a period, in order.
std::vector<local_time> occurrences_in(const domain::nights& period, const recurrence_rule& rule,
                                       work_limit& work) {
  std::vector<local_time> all;
  for (auto day = period.first; day <= period.last; day += days{1}) {
    const year_month_day parts{day};
    work.spend(1);
    if (!rule.months.empty() &&
        std::ranges::find(rule.months, number_of(parts.month())) == rule.months.end()) {
      day = std::min(period.last, date_of(parts.year() / parts.month() / std::chrono::last));
      continue;
    }
    work.spend(rule.times.size() + rule.month_days.size() + rule.year_days.size() + rule.weeks.size() +
               rule.weekdays.size());
    if (!allows_day(rule, day, parts)) continue;
    for (const auto time : rule.times) all.push_back(midnight_of(day) + time);
  }
  if (rule.positions.empty()) return all;
  std::vector<local_time> chosen;
  const auto size = static_cast<int>(all.size());
  work.spend(all.size() * rule.positions.size());
  for (int i = 0; i < size; ++i)
    if (allows(rule.positions, i + 1, size)) chosen.push_back(all[static_cast<std::size_t>(i)]);
  return chosen;
}

} // namespace

std::vector<local_time> occurrences(const recurrence_rule& rule, local_time start,
                                    std::optional<local_time> until, const domain::nights& range,
                                    work_limit& work) {
  std::vector<local_time> all;
  const periods every(rule, day_of(start));
  int count = 0;
  constexpr std::size_t steps_per_occurrence = 10; // also limits the memory
  // Occurrences that a rule counts must be counted from its start on.
  for (auto index = rule.count > 0 ? 0 : every.before(range.first);; ++index) {
    const auto period = every.at(index);
    if (!period || period->first > range.last || (until && period->first > day_of(*until))) return all;
    for (const auto time : occurrences_in(*period, rule, work)) {
      if (time < start) continue;
      if ((until && time > *until) || day_of(time) > range.last) return all;
      if (day_of(time) >= range.first) {
        work.spend(steps_per_occurrence);
        all.push_back(time);
      }
      if (rule.count > 0 && ++count == rule.count) return all;
    }
  }
}

} // namespace roost::ical
