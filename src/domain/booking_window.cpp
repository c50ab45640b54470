#include "domain/booking_window.hpp"

namespace roost::domain {

const booking_window* open_window(const unit& of, date today) {
  const booking_window* first = nullptr;
  for (const auto& window : of.booking_windows)
    if (window.max_start >= today && (!first || window.min_start < first->min_start)) first = &window;
  return first;
}

stay_limits limits_in(const booking_window& window) {
  const int longest = full_months_between(window.min_start, window.max_end);
  const bool has_rest = add_months(window.min_start, longest) < window.max_end;
  return {full_months_between(window.max_start, window.min_end), longest + (has_rest ? 1 : 0)};
}

stay_limits limits_by_window(const unit& of, date today) {
  if (const auto* window = open_window(of, today)) return limits_in(*window);
  return {of.min_stay_months, of.max_stay_months};
}

} // namespace roost::domain
