#pragma once

#include "config/text.hpp"

#include <toml++/toml.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::config {

/// Thrown by a format: why the value cannot be used. The text follows the key in a problem's line and quotes
/// the value only through shown().
struct refusal {
  std::string text;
};

/// What a value looks like in TOML.
enum class value_type { text, integer, duration, text_list };

/// How one kind of value is read and checked.
template <class T>
struct format {
  value_type type;
  std::function<T(const toml::node&)> read; ///< throws refusal
  bool secret = false;                      ///< may hold a password, which is never shown
};

/// The value as an error may show it: shortened, and masked.
std::string shown(const toml::node& node);

/// `value is not WHAT; write for example EXAMPLE`.
refusal not_a(const toml::node& node, std::string_view what, std::string_view example);

/// The text of a node; refuses other types and control characters.
std::string text_of(const toml::node& node, std::string_view what, std::string_view example);

/// The texts of an array.
std::vector<std::string> texts_of(const toml::node& node, std::string_view what, std::string_view example);

/// A text that `parse` turns into a value, or into none when it is no such thing.
template <class T>
format<T> text_format(std::string what, std::string example,
                      std::function<std::optional<T>(const std::string&)> parse) {
  const auto read = [=](const toml::node& node) -> T {
    auto value = parse(text_of(node, what, example));
    if (!value) throw not_a(node, what, example);
    return std::move(*value);
  };
  return {value_type::text, read};
}

/// A list of texts, each of which must satisfy `valid`.
format<std::vector<std::string>> list_format(std::string what, std::string example,
                                             std::function<bool(const std::string&)> valid);

/// A text without control characters; it may be empty.
format<std::string> any_text();

/// A text that is not empty.
format<std::string> some_text();

/// A path that is not empty.
format<std::filesystem::path> file_path();

/// A path; empty means that there is no such file.
format<std::filesystem::path> optional_path();

/// A duration of at least `least`, in whole units of the result.
template <class Duration>
format<Duration> duration_format(Duration least);
extern template format<std::chrono::milliseconds> duration_format(std::chrono::milliseconds);
extern template format<std::chrono::nanoseconds> duration_format(std::chrono::nanoseconds);

/// An integer of the range, both ends included.
std::int64_t integer_of(const toml::node& node, std::int64_t least, std::int64_t most);

template <class Integer>
format<Integer> integer_format(std::int64_t least, std::int64_t most) {
  return {value_type::integer,
          [=](const toml::node& node) { return static_cast<Integer>(integer_of(node, least, most)); }};
}

} // namespace roost::config
