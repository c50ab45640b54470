#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace roost::config {

/// Formats `text` as a TOML basic string on one line.
std::string in_quotes(std::string_view text);

/// Whether the text is not empty and consists of ASCII letters, digits and these other characters.
bool is_alphanumeric_or(std::string_view text, std::string_view others);

/// Replaces passwords in a URL by ***: the part between the colon and the last @, and the values of
/// `password` parameters.
std::string masked(std::string_view text);

/// Returns the candidate within a few edits of `name`; nullopt if none is close enough.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

/// Returns `; did you mean X?`; empty for nullopt.
std::string suggestion(const std::optional<std::string>& candidate);

/// The longest accepted duration; a hundred years still fit into nanoseconds.
inline constexpr std::chrono::nanoseconds max_duration = std::chrono::hours(24) * 36'500;

/// Parses a whole number with its unit (us, ms, s, m, h or d): `250ms`, `30s`, `365d`. Returns nullopt for
/// any other text and for durations longer than max_duration.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

/// Returns the shortest text that parse_duration() reads back as `duration`, truncated to microseconds.
std::string duration_text(std::chrono::nanoseconds duration);

} // namespace roost::config
