#include "ical/recurrence.hpp"

#include <algorithm>
#include <cstddef>

namespace roost::ical {

namespace {

/// Returns the values of a BY part. Throws broken_calendar if one is not from `min` to `max` or zero.
std::vector<int> values_of(const short* values, std::size_t size, int min, int max,
                           const parsed_component& parsed) {
  std::vector<int> all;
  for (std::size_t i = 0; i < size && values[i] != ICAL_RECURRENCE_ARRAY_MAX; ++i) {
    if (values[i] < min || values[i] > max || (min < 0 && values[i] == 0))
      parsed.refuse("has an invalid RRULE");
    all.push_back(values[i]);
  }
  return all;
}

frequency frequency_of(const icalrecurrencetype& rule, const parsed_component& parsed) {
  switch (rule.freq) {
  case ICAL_DAILY_RECURRENCE:
    return frequency::daily;
  case ICAL_WEEKLY_RECURRENCE:
    return frequency::weekly;
  case ICAL_MONTHLY_RECURRENCE:
    return frequency::monthly;
  case ICAL_YEARLY_RECURRENCE:
    return frequency::yearly;
  case ICAL_SECONDLY_RECURRENCE:
  case ICAL_MINUTELY_RECURRENCE:
  case ICAL_HOURLY_RECURRENCE:
    parsed.refuse("repeats more often than daily");
  default:
    parsed.refuse("has an invalid RRULE");
  }
}

/// libical counts weekdays from 1, Sunday.
std::chrono::weekday weekday_of(int value) { return std::chrono::weekday{static_cast<unsigned>(value - 1)}; }

void read_weekdays(recurrence_rule& rule, const icalrecurrencetype& source, const parsed_component& parsed) {
  constexpr int weeks_of_a_year = 53;
  const bool numbered = rule.every >= frequency::monthly && rule.weeks.empty();
  for (const short* day = source.by_day;
       day != source.by_day + ICAL_BY_DAY_SIZE && *day != ICAL_RECURRENCE_ARRAY_MAX; ++day) {
    const int weekday = icalrecurrencetype_day_day_of_week(*day);
    const int position = icalrecurrencetype_day_position(*day);
    if (weekday < ICAL_SUNDAY_WEEKDAY || weekday > ICAL_SATURDAY_WEEKDAY || position < -weeks_of_a_year ||
        position > weeks_of_a_year)
      parsed.refuse("has an invalid RRULE");
    rule.weekdays.emplace_back(weekday_of(weekday), numbered ? position : 0);
  }
}

std::vector<std::chrono::seconds> times_of(const icalrecurrencetype& source, const moment& start,
                                           const parsed_component& parsed) {
  if (start.is_date) return {std::chrono::seconds{0}};
  const std::chrono::hh_mm_ss time{start.at - midnight_of(day_of(start.at))};
  auto hours = values_of(source.by_hour, ICAL_BY_HOUR_SIZE, 0, 23, parsed);
  auto minutes = values_of(source.by_minute, ICAL_BY_MINUTE_SIZE, 0, 59, parsed);
  auto seconds = values_of(source.by_second, ICAL_BY_SECOND_SIZE, 0, 60, parsed);
  if (hours.empty()) hours = {static_cast<int>(time.hours().count())};
  if (minutes.empty()) minutes = {static_cast<int>(time.minutes().count())};
  if (seconds.empty()) seconds = {static_cast<int>(time.seconds().count())};
  constexpr std::size_t max_times = 24;
  if (hours.size() * minutes.size() * seconds.size() > max_times) parsed.refuse("repeats too often");
  std::vector<std::chrono::seconds> times;
  for (const int hour : hours)
    for (const int minute : minutes)
      for (const int second : seconds)
        times.push_back(std::chrono::hours{hour} + std::chrono::minutes{minute} +
                        std::chrono::seconds{std::min(second, 59)});
  std::ranges::sort(times);
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

/// Adds what a rule leaves to its start: "every year" is every year on the day of the start.
void complete(recurrence_rule& rule, const moment& start) {
  const auto day = day_of(start.at);
  const std::chrono::year_month_day date{day};
  if (!rule.weekdays.empty() || !rule.month_days.empty() || !rule.year_days.empty()) return;
  if (rule.every == frequency::weekly || !rule.weeks.empty()) {
    rule.weekdays = {{std::chrono::weekday{day}, 0}};
  } else if (rule.every >= frequency::monthly) {
    rule.month_days = {static_cast<int>(static_cast<unsigned>(date.day()))};
    if (rule.every == frequency::yearly && rule.months.empty())
      rule.months = {static_cast<int>(static_cast<unsigned>(date.month()))};
  }
}

/// Whether the RFC excludes a BY part for the frequency.
bool is_contradictory(const recurrence_rule& rule) {
  return (rule.every != frequency::yearly && (!rule.weeks.empty() || !rule.year_days.empty())) ||
         (rule.every == frequency::weekly && !rule.month_days.empty());
}

} // namespace

recurrence_rule rule_of(const icalproperty* property, const moment& start, const parsed_component& parsed) {
  const auto* const value = icalproperty_get_value(property);
  if (value == nullptr || icalvalue_isa(value) != ICAL_RECUR_VALUE) parsed.refuse("has an invalid RRULE");
  const auto source = icalvalue_get_recur(value);
  if (source.rscale != nullptr) parsed.refuse("repeats by a calendar other than the Gregorian");
  recurrence_rule rule;
  rule.every = frequency_of(source, parsed);
  rule.interval = source.interval;
  rule.count = source.count;
  if (rule.interval < 1 || rule.count < 0) parsed.refuse("has an invalid RRULE");
  if (icaltime_is_null_time(source.until) == 0) {
    rule.until = moment_of(source.until);
    if (!rule.until) parsed.refuse("has an RRULE with an invalid UNTIL");
  }
  if (source.week_start != ICAL_NO_WEEKDAY) rule.week_start = weekday_of(source.week_start);
  rule.months = values_of(source.by_month, ICAL_BY_MONTH_SIZE, 1, 12, parsed);
  rule.month_days = values_of(source.by_month_day, ICAL_BY_MONTHDAY_SIZE, -31, 31, parsed);
  rule.year_days = values_of(source.by_year_day, ICAL_BY_YEARDAY_SIZE, -366, 366, parsed);
  rule.weeks = values_of(source.by_week_no, ICAL_BY_WEEKNO_SIZE, -53, 53, parsed);
  rule.positions = values_of(source.by_set_pos, ICAL_BY_SETPOS_SIZE, -366, 366, parsed);
  read_weekdays(rule, source, parsed);
  if (is_contradictory(rule)) parsed.refuse("has an invalid RRULE");
  complete(rule, start);
  rule.times = times_of(source, start, parsed);
  return rule;
}

} // namespace roost::ical
