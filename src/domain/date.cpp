#include "domain/date.hpp"

#include <array>
#include <charconv>
#include <cstdio>

namespace roost::domain {

namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::year;
using std::chrono::year_month_day;

/// Reads exactly `text.size()` decimal digits.
std::optional<int> digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

/// A number below 100.
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

std::optional<std::chrono::milliseconds> parse_time_of_day(std::string_view text) {
  if (text.size() < 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto hour = digits(text.substr(0, 2)), minute = digits(text.substr(3, 2)),
             second = digits(text.substr(6, 2));
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  auto fraction = text.substr(8);
  int millis = 0;
  if (!fraction.empty() && fraction.front() == '.') {
    fraction.remove_prefix(1);
    if (fraction.empty() || fraction.size() > 9) return std::nullopt;
    std::array<char, 3> first{'0', '0', '0'};
    for (std::size_t i = 0; i < fraction.size() && i < first.size(); ++i) first[i] = fraction[i];
    const auto value = digits({first.data(), first.size()});
    if (!value || !digits(fraction)) return std::nullopt;
    millis = *value;
  } else if (!fraction.empty()) {
    return std::nullopt;
  }
  return std::chrono::hours{*hour} + std::chrono::minutes{*minute} + std::chrono::seconds{*second} +
         std::chrono::milliseconds{millis};
}

} // namespace

std::optional<date> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto y = digits(text.substr(0, 4)), m = digits(text.substr(5, 2)), d = digits(text.substr(8, 2));
  if (!y || !m || !d || *y == 0) return std::nullopt;
  const year_month_day ymd{year{*y}, month{static_cast<unsigned>(*m)}, day{static_cast<unsigned>(*d)}};
  if (!ymd.ok()) return std::nullopt;
  return date{ymd};
}

short_text<10> to_short_text(date value) {
  short_text<10> text;
  put_date(text.characters.data(), value);
  return text;
}

std::string to_string(date value) { return std::string{to_short_text(value).view()}; }

std::optional<timestamp> parse_timestamp(std::string_view text) {
  if (text.size() < 19 || (text[10] != 'T' && text[10] != ' ')) return std::nullopt;
  const auto on = parse_date(text.substr(0, 10));
  auto time = text.substr(11);
  if (time.ends_with('Z')) {
    time.remove_suffix(1);
  } else if (time.ends_with("+00")) { // how PostgreSQL writes UTC
    time.remove_suffix(3);
  }
  const auto at = parse_time_of_day(time);
  if (!on || !at) return std::nullopt;
  return timestamp{*on} + *at;
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
  return same_day.ok() ? date{same_day} : date{target / std::chrono::last};
}

int full_months_between(date from, date to) {
  if (to <= from) return 0;
  const year_month_day a{from}, b{to};
  int count = static_cast<int>((b.year() / b.month() - a.year() / a.month()).count());
  while (count > 0 && add_months(from, count) > to) --count;
  return count;
}

} // namespace roost::domain
