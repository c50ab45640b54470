#include "ical/duration_syntax.hpp"

#include <algorithm>

namespace roost::ical {

namespace {

constexpr std::size_t max_digits = 9;

/// Removes numbers whose units are among `units` and in their order. Returns how many, or -1 for a number
/// without such a unit.
int take_numbers(std::string_view& text, std::string_view units) {
  int count = 0;
  for (; !text.empty() && text.front() != 'T'; ++count) {
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto unit = digits < text.size() ? units.find(text[digits]) : std::string_view::npos;
    if (digits == 0 || digits > max_digits || unit == std::string_view::npos) return -1;
    text.remove_prefix(digits + 1);
    units.remove_prefix(unit + 1);
  }
  return count;
}

} // namespace

bool is_duration(std::string_view value) {
  if (value.starts_with('+') || value.starts_with('-')) value.remove_prefix(1);
  if (!value.starts_with('P')) return false;
  value.remove_prefix(1);
  const int days = take_numbers(value, "WD");
  if (value.empty()) return days > 0;
  if (days < 0 || !value.starts_with('T')) return false;
  value.remove_prefix(1);
  return take_numbers(value, "HMS") > 0 && value.empty();
}

bool has_valid_durations(std::string_view value) {
  for (auto slash = value.find('/'); slash != std::string_view::npos; slash = value.find('/')) {
    value.remove_prefix(slash + 1);
    const auto end = value.substr(0, value.find(','));
    if (end.find('P') != std::string_view::npos && !is_duration(end)) return false;
  }
  return true;
}

} // namespace roost::ical
