#include "domain/iso_moment.hpp"

#include <algorithm>
#include <cstdint>

namespace roost::domain {

namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// What is left of a text.
class cursor {
public:
  explicit cursor(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  bool take(char wanted) {
    if (next() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::size_t digits_ahead() const {
    return static_cast<std::size_t>(std::ranges::find_if_not(rest_, is_digit) - rest_.begin());
  }

  /// Exactly so many digits, which make a number in these bounds. Nothing is taken otherwise.
  std::optional<int> number(std::size_t length, int least, int greatest) {
    if (digits_ahead() < length) return std::nullopt;
    int value = 0;
    for (const char c : rest_.substr(0, length)) value = value * 10 + (c - '0');
    if (value < least || value > greatest) return std::nullopt;
    rest_.remove_prefix(length);
    return value;
  }

  /// `separator` and then two digits; a NUL stands for none.
  std::optional<int> pair_after(char separator, int greatest) {
    auto ahead = *this;
    if (separator != '\0' && !ahead.take(separator)) return std::nullopt;
    const auto value = ahead.number(2, 0, greatest);
    if (value) *this = ahead;
    return value;
  }

  /// The decimals behind a point or a comma, as that part of `unit`; zero when there are none.
  milliseconds fraction_of(milliseconds unit) {
    auto ahead = *this;
    if ((!ahead.take('.') && !ahead.take(',')) || ahead.digits_ahead() == 0) return {};
    constexpr std::size_t max_digits = 9; // of an hour they are microseconds
    const auto length = ahead.digits_ahead();
    std::int64_t value = 0, scale = 1;
    for (std::size_t i = 0; i < std::min(length, max_digits); ++i, scale *= 10)
      value = value * 10 + (ahead.rest_[i] - '0');
    ahead.rest_.remove_prefix(length);
    *this = ahead;
    return milliseconds{unit.count() * value / scale};
  }

  /// `YYYYMM` is no date: it would be mistaken for `YYMMDD`.
  bool is_a_lone_month() const {
    return digits_ahead() == 2 && (rest_.size() == 2 || !is_word_character(rest_[2]));
  }

private:
  std::string_view rest_;
};

/// The Monday of the week that the year's 4 January is in.
date first_week(std::chrono::year of) {
  const date january_4th = of / 1 / 4;
  return january_4th - (std::chrono::weekday{january_4th} - std::chrono::Monday);
}

std::optional<date> read_week(cursor& in, std::chrono::year of) {
  const auto week = in.number(2, 0, 53);
  if (!week) return std::nullopt;
  auto ahead = in;
  ahead.take('-');
  const auto day = ahead.number(1, 1, 7);
  if (day) in = ahead;
  return first_week(of) + days{(*week - 1) * 7 + day.value_or(1) - 1};
}

std::optional<date> read_month(cursor& in, std::chrono::year of, bool extended) {
  const auto month = in.number(2, 1, 12);
  if (!month) return std::nullopt;
  const date first = of / *month / 1;
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
  const auto year = in.number(4, 0, 9999);
  if (!year || in.is_a_lone_month()) return std::nullopt;
  const std::chrono::year of{negative ? -*year : *year};
  if (in.at_end()) return date{of / 1 / 1};
  const bool extended = in.take('-');
  if (in.take('W')) return read_week(in, of);
  constexpr std::size_t length_of_ordinal = 3;
  if (in.digits_ahead() != length_of_ordinal) return read_month(in, of, extended);
  const auto day = in.number(length_of_ordinal, 1, 366);
  if (!day) return std::nullopt;
  return date{of / 1 / 1} + days{*day - 1};
}

/// `:` or a NUL for none, as it stands between two numbers.
char separator_in(const cursor& in) { return in.next() == ':' ? ':' : '\0'; }

constexpr milliseconds an_hour = std::chrono::hours{1}, a_minute = minutes{1},
                       a_second = std::chrono::seconds{1};

/// Two digits that are no hour are seconds.
milliseconds read_seconds(cursor& in, char separator) {
  const auto seconds = in.pair_after(separator, 59);
  if (!seconds) return {};
  return *seconds * a_second + in.fraction_of(a_second);
}

milliseconds read_time_of_day(cursor& in) {
  auto midnight = in; // at the end of the day
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

/// How far the time is ahead of UTC. False when what follows is no offset.
bool read_offset(cursor& in, minutes& ahead) {
  if (in.at_end() || in.take('Z') || in.take('z')) return true;
  const bool behind = in.next() == '-';
  if (!in.take('-') && !in.take('+')) return false;
  const auto hour = in.number(2, 0, 23);
  if (!hour) return false;
  in.take(':');
  const auto minute = in.number(2, 0, 59);
  ahead = std::chrono::hours{*hour} + minutes{minute.value_or(0)};
  if (behind) ahead = -ahead;
  return true;
}

bool take_time_mark(cursor& in) {
  constexpr std::string_view marks = "T \t\n\v\f\r";
  return !in.at_end() && marks.find(in.next()) != std::string_view::npos && in.take(in.next());
}

} // namespace

std::optional<timestamp> parse_iso_moment(std::string_view text) {
  cursor in{text};
  const auto day = read_date(in);
  if (!day) return std::nullopt;
  timestamp moment{*day};
  if (take_time_mark(in)) {
    minutes ahead{};
    moment += read_time_of_day(in);
    if (!read_offset(in, ahead)) return std::nullopt;
    moment -= ahead;
  }
  if (!in.at_end()) return std::nullopt;
  return moment;
}

} // namespace roost::domain
