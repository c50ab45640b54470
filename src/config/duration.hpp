#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace roost::config {

/// The longest accepted duration; a hundred years still fit into nanoseconds.
inline constexpr std::chrono::nanoseconds max_duration = std::chrono::hours(24) * 36'500;

/// Parses a whole number with its unit (us, ms, s, m, h or d): `250ms`, `30s`, `365d`. Returns nullopt for
/// any other text and for durations longer than max_duration.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// Returns the shortest text that parse_duration() reads back as `duration`, truncated to microseconds.
std::string duration_text(std::chrono::nanoseconds duration);

} // namespace roost::config
