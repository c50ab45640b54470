#include "domain/written_out.hpp"

#include <array>

namespace roost::domain {

std::string written_out(date day) {
  static constexpr std::array<std::string_view, 12> months{"January",   "February", "March",    "April",
                                                           "May",       "June",     "July",     "August",
                                                           "September", "October",  "November", "December"};
  const std::chrono::year_month_day date{day};
  return std::to_string(static_cast<unsigned>(date.day())) + " " + std::string(months[month_of(day) - 1]) +
         " " + std::to_string(static_cast<int>(date.year()));
}

std::string written_out(timestamp moment) {
  // "2026-11-20T09:30:00.000Z" has its hours and minutes there.
  constexpr std::size_t hours = 11, length = 5;
  return written_out(day_of(moment)) + ", " + to_string(moment).substr(hours, length) + " UTC";
}

std::string written_out(std::chrono::seconds time) {
  using std::chrono::hours, std::chrono::minutes, std::chrono::duration_cast;
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
