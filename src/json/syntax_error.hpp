#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace roost::json {

/// The place where a text stops being JSON (RFC 8259), with the reason. Counts from 1, in characters.
struct syntax_error {
  std::size_t line = 1, column = 1;
  std::string text; ///< without a period
};

/// Returns the error at this offset in bytes.
syntax_error error_at(std::string_view document, std::size_t offset, std::string_view text);

/// The parser accepts the second half of a surrogate pair without the first one, although its encoding is not
/// UTF-8.
inline constexpr std::string_view half_surrogate_pair = "The surrogate pair in string is invalid";

/// Returns whether an escape left half of a surrogate pair in an unescaped text.
bool holds_surrogate(std::string_view text);

/// Returns the first error of a text; nullopt if it is JSON, nested to any depth. Numbers that no double can
/// hold are errors.
std::optional<syntax_error> find_syntax_error(std::string_view document);

/// `Missing a name for object member, at line 2, column 6`.
std::string to_string(const syntax_error& error);

} // namespace roost::json
