#pragma once

#include "domain/date.hpp"

#include <optional>
#include <string_view>

namespace roost::domain {

/// Reads a date, or a date with a time, in any form of ISO 8601 that JavaScript validators take for one:
/// calendar, week and ordinal dates, the basic and the extended format, a fraction of the last unit, an
/// offset. What is left out is the first of its kind (a year alone is its first moment, a date alone its
/// midnight), and without an offset it is UTC. A day that its month does not have counts on into the next
/// month. Milliseconds; what is smaller is cut off.
std::optional<timestamp> parse_iso_moment(std::string_view text);

} // namespace roost::domain
