#pragma once

#include <string_view>

namespace roost::ical {

/// Returns whether a value is a duration (RFC 5545, 3.3.6) with numbers of at most nine digits. libical also
/// accepts numbers without a unit, and ignores or misplaces them.
bool is_duration(std::string_view value);

/// Returns whether the durations in a value of RDATE, such as those of `20270101T150000Z/P2D`, are valid.
bool has_valid_durations(std::string_view value);

} // namespace roost::ical
