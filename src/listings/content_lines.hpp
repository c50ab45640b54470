#pragma once

#include <string>
#include <string_view>

namespace roost::listings {

/// Writes an iCalendar object's content lines (RFC 5545, 3.1). Each ends in CR LF and is folded so that no
/// line of the text has more than 75 octets; a fold never parts the octets of a UTF-8 character.
class content_lines {
public:
  /// `expected` octets of text are set aside; more may come.
  explicit content_lines(std::size_t expected = 0) { text_.reserve(expected); }

  /// A property whose value needs no escaping: dates, constants. `name` has its parameters with it.
  void add(std::string_view name, std::string_view value);

  /// A property of type TEXT (RFC 5545, 3.3.11): backslashes, semicolons, commas and line breaks of `value`
  /// are escaped. Control characters that no value may hold are left out.
  void add_text(std::string_view name, std::string_view value);

  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

private:
  void end_line();

  std::string text_;
  std::size_t line_start_ = 0;
};

} // namespace roost::listings
