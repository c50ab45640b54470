#pragma once

#include "store/database/session.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace roost::testing {

/// Returns a line of a history's story, with the time since the history began.
std::string story_line(std::int64_t microseconds, const std::string& text);

/// Returns the requests in the store with their decisions, in the order of decisions, and the bookings.
std::string decisions_since(store::session& db, std::chrono::system_clock::time_point begin);

} // namespace roost::testing
