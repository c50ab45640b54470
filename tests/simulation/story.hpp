#pragma once

#include "store/database/session.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace roost::testing {

/// Returns a line of a history's story; the time is that since its begin.
std::string story_line(std::int64_t microseconds, const std::string& text);

/// Returns what the store says at the end: each request with its decision, in the order of decisions, and
/// each booking.
std::string decisions_since(store::session& db, std::chrono::system_clock::time_point begin);

} // namespace roost::testing
