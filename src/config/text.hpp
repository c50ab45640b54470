#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace roost::config {

/// `text` as a TOML basic string, on one line.
std::string in_quotes(std::string_view text);

/// `text` with *** in the place of a password: what stands between the colon and the last @ of a URL, and the
/// value of a `password` parameter.
std::string masked(std::string_view text);

/// The one of `candidates` that `name` was probably meant to be: a few keystrokes away.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

/// `; did you mean X?`, or nothing.
std::string suggestion(const std::optional<std::string>& candidate);

} // namespace roost::config
