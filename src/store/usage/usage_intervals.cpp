#include "store/usage/usage_intervals.hpp"

#include <algorithm>

namespace roost::store {

namespace {

using std::chrono::milliseconds;

/// The range of a column.
constexpr domain::timestamp earliest = domain::date{std::chrono::year{1} / 1 / 1};
constexpr domain::timestamp latest =
    domain::date{std::chrono::year{9999} / 12 / 31} + domain::days{1} - milliseconds{1};

constexpr usage_interval empty_interval{latest, earliest};

} // namespace

usage_interval interval_of(const domain::ai_usage_filter& filter) {
  if (filter.from && *filter.from > latest) return empty_interval;
  if (filter.to && *filter.to < earliest) return empty_interval;
  return {std::clamp(filter.from.value_or(earliest), earliest, latest),
          std::clamp(filter.to.value_or(latest), earliest, latest)};
}

split_interval split_by_day(const domain::ai_usage_filter& filter) {
  const auto all = interval_of(filter);
  const auto first = std::chrono::ceil<domain::days>(all.begin);
  const auto last = std::chrono::floor<domain::days>(all.end + milliseconds{1}) - domain::days{1};
  if (all.is_empty() || last < first)
    return {all, domain::day_of(latest), domain::day_of(earliest), empty_interval};
  split_interval split{empty_interval, first, last, empty_interval};
  if (all.begin < first) split.before = {all.begin, first - milliseconds{1}};
  if (last + domain::days{1} <= all.end) split.after = {last + domain::days{1}, all.end};
  return split;
}

} // namespace roost::store
