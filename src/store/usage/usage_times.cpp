#include "store/usage/usage_times.hpp"

#include <algorithm>

namespace roost::store {

namespace {

using std::chrono::milliseconds;

/// What a column can hold.
constexpr domain::timestamp earliest = domain::date{std::chrono::year{1} / 1 / 1};
constexpr domain::timestamp latest =
    domain::date{std::chrono::year{9999} / 12 / 31} + domain::days{1} - milliseconds{1};

constexpr usage_run no_time{latest, earliest};

domain::timestamp within_columns(domain::timestamp moment) { return std::clamp(moment, earliest, latest); }

} // namespace

usage_run run_of(const domain::ai_usage_filter& filter) {
  if (filter.from && *filter.from > latest) return no_time;
  if (filter.to && *filter.to < earliest) return no_time;
  return {within_columns(filter.from.value_or(earliest)), within_columns(filter.to.value_or(latest))};
}

usage_times times_of(const domain::ai_usage_filter& filter) {
  const auto all = run_of(filter);
  const auto first = std::chrono::ceil<domain::days>(all.begin);
  const auto last = std::chrono::floor<domain::days>(all.end + milliseconds{1}) - domain::days{1};
  if (all.is_empty() || last < first) return {all, domain::day_of(latest), domain::day_of(earliest), no_time};
  usage_times times{no_time, first, last, no_time};
  if (all.begin < first) times.before = {all.begin, first - milliseconds{1}};
  if (last + domain::days{1} <= all.end) times.after = {last + domain::days{1}, all.end};
  return times;
}

} // namespace roost::store
