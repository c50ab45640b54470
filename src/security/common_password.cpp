#include "security/common_password.hpp"

#include "domain/text.hpp"

#include <algorithm>
#include <chrono>

namespace roost::embedded {
extern const std::string_view common_passwords; ///< one per line, in lower case, sorted by bytes
}

namespace roost::security {

namespace {

/// Returns whether the text is a date of the years 1900 to 2099 in eight digits: with the day, the month or
/// the year first.
bool is_date(std::string_view text) {
  if (text.size() != 8 || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }))
    return false;
  const auto number_at = [&](std::size_t at, std::size_t digits) {
    int number = 0;
    for (const char digit : text.substr(at, digits)) number = number * 10 + (digit - '0');
    return number;
  };
  const auto is_valid = [&](std::size_t year_at, std::size_t month_at, std::size_t day_at) {
    const std::chrono::year_month_day date{std::chrono::year(number_at(year_at, 4)),
                                           std::chrono::month(static_cast<unsigned>(number_at(month_at, 2))),
                                           std::chrono::day(static_cast<unsigned>(number_at(day_at, 2)))};
    const int year = static_cast<int>(date.year());
    return date.ok() && year >= 1900 && year < 2100;
  };
  return is_valid(4, 2, 0) || is_valid(4, 0, 2) || is_valid(0, 4, 6);
}

} // namespace

bool is_common_password(std::string_view password) {
  if (is_date(password)) return true;
  const auto folded = domain::folded_case(password);
  auto rest = embedded::common_passwords;
  while (!rest.empty()) { // binary search for a line
    const auto line_break = rest.rfind('\n', rest.size() / 2);
    const auto start = line_break == std::string_view::npos ? 0 : line_break + 1;
    const auto end = rest.find('\n', start);
    const auto line = rest.substr(start, end - start);
    if (line == folded) return true;
    rest = folded < line ? rest.substr(0, start) : rest.substr(end + 1);
  }
  return false;
}

} // namespace roost::security
