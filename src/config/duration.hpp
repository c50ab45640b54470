#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace roost::config {

/// The longest duration that is accepted; a hundred years still fit into nanoseconds.
inline constexpr std::chrono::nanoseconds longest_duration = std::chrono::hours(24) * 36'500;

/// Reads a whole number and its unit, us, ms, s, m, h or d: `250ms`, `30s`, `365d`. No value for any other
/// text and for what is longer than longest_duration.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// The shortest text that parse_duration() reads back as `duration`, cut to whole microseconds.
std::string duration_text(std::chrono::nanoseconds duration);

} // namespace roost::config
