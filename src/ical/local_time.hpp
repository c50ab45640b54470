#pragma once

#include "domain/date.hpp"

#include <chrono>
#include <string>

namespace roost::ical {

/// A date and time as a clock at the place of the event shows it.
using local_time = std::chrono::local_seconds;

inline domain::date day_of(local_time time) {
  return domain::date{std::chrono::floor<domain::days>(time.time_since_epoch())};
}
inline local_time midnight_of(domain::date day) { return local_time{day.time_since_epoch()}; }

/// A DATE or DATE-TIME value (RFC 5545, 3.3.4 and 3.3.5).
struct moment {
  local_time at;        ///< midnight for a DATE
  bool is_date = false; ///< a DATE
  bool is_utc = false;
  std::string tzid; ///< empty for DATEs, UTC and floating times
};

} // namespace roost::ical
