#pragma once

#include "domain/ai_usage.hpp"

namespace roost::store {

/// A run of time, both ends inclusive; none when it ends before it begins.
struct usage_run {
  domain::timestamp begin, end;

  bool is_empty() const { return end < begin; }
};

/// A filter's time in three parts: the whole UTC days in it, whose totals the store keeps, and what there is
/// of a day before and after them. Without a whole day all of it is the first part.
struct usage_times {
  usage_run before;
  domain::date first_day, last_day; ///< inclusive; none when the last one is earlier
  usage_run after;
};

usage_times times_of(const domain::ai_usage_filter& filter);

/// All of a filter's time.
usage_run run_of(const domain::ai_usage_filter& filter);

} // namespace roost::store
