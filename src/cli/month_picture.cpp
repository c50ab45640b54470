#include "cli/month_picture.hpp"

#include <array>
#include <cstdio>

namespace roost::cli {

namespace {

constexpr std::array<const char*, 12> names{"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};

std::string cell_of(domain::date day, char mark) {
  char text[8];
  std::snprintf(text, sizeof text, " %2u%c", static_cast<unsigned>(std::chrono::year_month_day{day}.day()),
                mark);
  return text;
}

/// Without what an empty end of a week leaves.
void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

} // namespace

std::string month_picture(std::chrono::year_month month, const std::function<char(domain::date)>& mark) {
  constexpr unsigned cell_width = 4;
  const domain::date first{month / 1}, last{month / std::chrono::last};
  std::string text = names.at(static_cast<unsigned>(month.month()) - 1) + std::string(" ") +
                     std::to_string(static_cast<int>(month.year())) + "\n Mo  Tu  We  Th  Fr  Sa  Su\n";
  const auto before = std::chrono::weekday{first}.iso_encoding() - 1;
  text.append(std::size_t{before} * cell_width, ' ');
  for (auto day = first; day <= last; day += domain::days{1}) {
    text += cell_of(day, mark(day));
    if (std::chrono::weekday{day}.iso_encoding() == 7 || day == last) end_line(text);
  }
  return text;
}

} // namespace roost::cli
