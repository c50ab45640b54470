#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace roost::config {

/// Formats `text` as a TOML basic string on one line.
std::string in_quotes(std::string_view text);

/// Replaces passwords in a URL by ***: the part between the colon and the last @, and the values of
/// `password` parameters.
std::string masked(std::string_view text);

/// Returns the candidate within a few edits of `name`; nullopt if none is close enough.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

/// Returns `; did you mean X?`; empty for nullopt.
std::string suggestion(const std::optional<std::string>& candidate);

} // namespace roost::config
