#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace roost::ical {

/// Why a text is not a calendar; what() is one sentence for people, without a full stop and without any text
/// of the calendar.
class broken_calendar : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The work that one calendar may cause, so that rules without end or result do not occupy a thread.
class work_limit {
public:
  /// Counts steps of some nanoseconds each. Throws broken_calendar if the sum exceeds the limit.
  void spend(std::size_t steps) {
    if (steps > left_) throw broken_calendar("The events of the calendar repeat too often");
    left_ -= steps;
  }

private:
  std::size_t left_ = 20'000'000; // about a second
};

} // namespace roost::ical
