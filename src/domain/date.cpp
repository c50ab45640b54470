#include "domain/date.hpp"

#include <algorithm>
#include <array>

namespace roost::domain {

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::year_month_day;

constexpr milliseconds an_hour = std::chrono::hours{1}, a_minute = minutes{1},
                       a_second = std::chrono::seconds{1};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// A cursor over the rest of a text. Functions that read take nothing unless they succeed.
class cursor {
public:
  explicit cursor(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool take(char expected) {
    if (next() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::size_t digits_ahead() const {
    return static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_digit) - rest_.begin());
  }

  /// Reads a number of `length` digits within these bounds; more digits may follow.
  std::optional<int> number(std::size_t length, int min, int max) {
    if (digits_ahead() < length) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, length)) value = value * 10 + (c - '0');
    if (value < min || value > max) return std::nullopt;
    rest_.remove_prefix(length);
    return value;
  }

  /// Reads `separator`, which is NUL for none, and a two-digit number from 0 to `max`.
  std::optional<int> pair_after(char separator, int max) {
    auto ahead = *this;
    if (separator != '\0' && !ahead.take(separator)) return std::nullopt;
    const auto value = ahead.number(2, 0, max);
    if (value) *this = ahead;
    return value;
  }

  /// Reads a decimal fraction after a point or comma, and returns that fraction of `unit`; zero if there is
  /// none, or if it is too long.
  milliseconds fraction_of(milliseconds unit, std::size_t max_length = std::string_view::npos) {
    auto ahead = *this;
    if (!ahead.take('.') && !ahead.take(',')) return {};
    const auto length = ahead.digits_ahead();
    if (length == 0 || length > max_length) return {};
    constexpr std::size_t max_digits = 9; // of an hour, 9 digits resolve microseconds
    std::int64_t value = 0, scale = 1;
    for (std::size_t i = 0; i < std::min(length, max_digits); ++i, scale *= 10)
      value = value * 10 + (ahead.rest_[i] - '0');
    ahead.rest_.remove_prefix(length);
    *this = ahead;
    return milliseconds{unit.count() * value / scale};
  }

  /// Returns whether only a month follows: `YYYYMM` could be mistaken for `YYMMDD`, so it is not a date.
  bool is_a_lone_month() const {
    return digits_ahead() == 2 && (rest_.size() == 2 || !is_word_character(rest_[2]));
  }

private:
  std::string_view rest_;
};

/// Writes a number below 100.
void put_two_digits(char* to, unsigned value) {
  to[0] = static_cast<char>('0' + value / 10);
  to[1] = static_cast<char>('0' + value % 10);
}

void put_date(char* to, date value) {
  const year_month_day ymd{value};
  const auto year = static_cast<unsigned>(static_cast<int>(ymd.year()));
  put_two_digits(to, year / 100);
  put_two_digits(to + 2, year % 100);
  to[4] = to[7] = '-';
  put_two_digits(to + 5, static_cast<unsigned>(ymd.month()));
  put_two_digits(to + 8, static_cast<unsigned>(ymd.day()));
}

/// Reads `YYYY-MM-DD`.
std::optional<date> take_date(cursor& in) {
  const auto year = in.number(4, 1, 9999);
  if (!year || !in.take('-')) return std::nullopt;
  const auto month = in.number(2, 1, 12);
  if (!month || !in.take('-')) return std::nullopt;
  const auto day = in.number(2, 1, 31);
  if (!day) return std::nullopt;
  const auto whole = std::chrono::year{*year} / *month / *day;
  return whole.ok() ? std::optional(date_of(whole)) : std::nullopt;
}

/// Returns the Monday of a year's first ISO week, the one that contains 4 January.
date first_week(std::chrono::year year) {
  const auto january_4th = date_of(year / 1 / 4);
  return january_4th - (std::chrono::weekday{january_4th} - std::chrono::Monday);
}

std::optional<date> read_week(cursor& in, std::chrono::year year) {
  const auto week = in.number(2, 0, 53);
  if (!week) return std::nullopt;
  auto ahead = in;
  ahead.take('-');
  const auto day = ahead.number(1, 1, 7);
  if (day) in = ahead;
  return first_week(year) + days{(*week - 1) * 7 + day.value_or(1) - 1};
}

std::optional<date> read_month(cursor& in, std::chrono::year year, bool extended) {
  const auto month = in.number(2, 1, 12);
  if (!month) return std::nullopt;
  const auto first = date_of(year / *month / 1);
  auto ahead = in;
  if (extended && !ahead.take('-')) return first;
  const auto day = ahead.number(2, 1, 31);
  if (!day) return first;
  in = ahead;
  return first + days{*day - 1};
}

std::optional<date> read_date(cursor& in) {
  const bool negative = in.next() == '-';
  if (!in.take('-')) in.take('+');
  const auto number = in.number(4, 0, 9999);
  if (!number || in.is_a_lone_month()) return std::nullopt;
  const std::chrono::year year{negative ? -*number : *number};
  if (in.at_end()) return date_of(year / 1 / 1);
  const bool extended = in.take('-');
  if (in.take('W')) return read_week(in, year);
  constexpr std::size_t length_of_ordinal = 3;
  if (in.digits_ahead() != length_of_ordinal) return read_month(in, year, extended);
  const auto day = in.number(length_of_ordinal, 1, 366);
  if (!day) return std::nullopt;
  return date_of(year / 1 / 1) + days{*day - 1};
}

/// Returns the separator between two numbers: `:`, or NUL for none.
char separator_in(const cursor& in) { return in.next() == ':' ? ':' : '\0'; }

/// Reads seconds with their fraction; zero if there are none.
milliseconds read_seconds(cursor& in, char separator) {
  const auto seconds = in.pair_after(separator, 59);
  if (!seconds) return {};
  return *seconds * a_second + in.fraction_of(a_second);
}

milliseconds read_time_of_day(cursor& in) {
  auto midnight = in; // 24:00, the end of the day
  if (midnight.number(2, 24, 24) && midnight.pair_after(separator_in(midnight), 0)) {
    in = midnight;
    const auto fraction = in.fraction_of(a_minute);
    return 24 * an_hour + fraction + read_seconds(in, '\0');
  }
  const auto hour = in.number(2, 0, 23);
  if (!hour) return read_seconds(in, '\0');
  const auto separator = separator_in(in);
  const auto minute = in.pair_after(separator, 59);
  if (!minute) return *hour * an_hour + in.fraction_of(an_hour);
  const auto until_minute = *hour * an_hour + *minute * a_minute;
  if (in.next() == '.' || in.next() == ',') return until_minute + in.fraction_of(a_minute);
  return until_minute + read_seconds(in, separator);
}

/// Reads the offset from UTC, 0 at the end of the text; nullopt if the rest does not start with an offset.
std::optional<minutes> read_offset(cursor& in) {
  if (in.at_end() || in.take('Z') || in.take('z')) return minutes{0};
  const bool behind = in.take('-');
  if (!behind && !in.take('+')) return std::nullopt;
  const auto hour = in.number(2, 0, 23);
  if (!hour) return std::nullopt;
  in.take(':');
  const auto ahead = std::chrono::hours{*hour} + minutes{in.number(2, 0, 59).value_or(0)};
  return behind ? -ahead : ahead;
}

bool take_time_mark(cursor& in) {
  constexpr std::string_view marks = "T \t\n\v\f\r";
  return !in.at_end() && marks.find(in.next()) != std::string_view::npos && in.take(in.next());
}

} // namespace

std::optional<date> parse_date(std::string_view text) {
  cursor in{text};
  const auto day = take_date(in);
  return in.at_end() ? day : std::nullopt;
}

short_text<10> to_short_text(date value) {
  short_text<10> text;
  put_date(text.characters.data(), value);
  return text;
}

std::string to_string(date value) { return std::string{to_short_text(value).view()}; }

std::optional<timestamp> parse_timestamp(std::string_view text) {
  cursor in{text};
  const auto on = take_date(in);
  if (!on || (!in.take('T') && !in.take(' '))) return std::nullopt;
  const auto hour = in.number(2, 0, 23), minute = in.pair_after(':', 59), second = in.pair_after(':', 59);
  if (!hour || !minute || !second) return std::nullopt;
  const auto fraction = in.next() == '.' ? in.fraction_of(a_second, 9) : milliseconds{};
  if (!in.take('Z') && in.take('+') && !in.number(2, 0, 0)) return std::nullopt; // PostgreSQL writes +00
  if (!in.at_end()) return std::nullopt;
  return timestamp{*on} + *hour * an_hour + *minute * a_minute + *second * a_second + fraction;
}

short_text<24> to_short_text(timestamp moment) {
  const date on = day_of(moment);
  const std::chrono::hh_mm_ss time{moment - on};
  short_text<24> written;
  char* const text = written.characters.data();
  put_date(text, on);
  text[10] = 'T';
  put_two_digits(&text[11], static_cast<unsigned>(time.hours().count()));
  put_two_digits(&text[14], static_cast<unsigned>(time.minutes().count()));
  put_two_digits(&text[17], static_cast<unsigned>(time.seconds().count()));
  const auto millis = static_cast<unsigned>(time.subseconds().count());
  text[20] = static_cast<char>('0' + millis / 100);
  put_two_digits(&text[21], millis % 100);
  text[13] = text[16] = ':';
  text[19] = '.';
  text[23] = 'Z';
  return written;
}

std::string to_string(timestamp moment) { return std::string{to_short_text(moment).view()}; }

date add_months(date from, int months) {
  const year_month_day ymd{from};
  const auto target = ymd.year() / ymd.month() + std::chrono::months{months};
  const year_month_day same_day = target / ymd.day();
  return same_day.ok() ? date_of(same_day) : date_of(target / std::chrono::last);
}

int full_months_between(date from, date to) {
  if (to <= from) return 0;
  const year_month_day a{from}, b{to};
  int count = static_cast<int>((b.year() / b.month() - a.year() / a.month()).count());
  while (count > 0 && add_months(from, count) > to) --count;
  return count;
}

std::optional<timestamp> parse_iso_moment(std::string_view text) {
  cursor in{text};
  const auto day = read_date(in);
  if (!day) return std::nullopt;
  timestamp moment{*day};
  if (take_time_mark(in)) {
    moment += read_time_of_day(in);
    const auto ahead = read_offset(in);
    if (!ahead) return std::nullopt;
    moment -= *ahead;
  }
  if (!in.at_end()) return std::nullopt;
  return moment;
}

std::string month_written_out(date day) {
  static constexpr std::array<std::string_view, 12> months{"January",   "February", "March",    "April",
                                                           "May",       "June",     "July",     "August",
                                                           "September", "October",  "November", "December"};
  const std::chrono::year_month_day date{day};
  return std::string(months[month_of(day) - 1]) + " " + std::to_string(static_cast<int>(date.year()));
}

std::string written_out(date day) {
  const std::chrono::year_month_day date{day};
  return std::to_string(static_cast<unsigned>(date.day())) + " " + month_written_out(day);
}

std::string written_out(timestamp moment) {
  // The position of hours and minutes in "2026-11-20T09:30:00.000Z".
  constexpr std::size_t hours = 11, length = 5;
  return written_out(day_of(moment)) + ", " + to_string(moment).substr(hours, length) + " UTC";
}

std::string written_out(std::chrono::seconds time) {
  using std::chrono::hours, std::chrono::minutes, std::chrono::duration_cast;
  constexpr hours day{24};
  if (time > day && time % day == std::chrono::seconds::zero()) return counted(time / day, "day", "days");
  if (time % hours{1} == std::chrono::seconds::zero())
    return counted(duration_cast<hours>(time).count(), "hour", "hours");
  if (time % minutes{1} == std::chrono::seconds::zero())
    return counted(duration_cast<minutes>(time).count(), "minute", "minutes");
  return counted(time.count(), "second", "seconds");
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

} // namespace roost::domain
