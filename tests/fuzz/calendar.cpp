#include "domain/storable_text.hpp"
#include "domain/text.hpp"
#include "fuzz/support/pieces.hpp"
#include "fuzz/support/target.hpp"
#include "fuzz/support/texts.hpp"
#include "listings/ical.hpp"

#include <string>

/// Texts in calendar exports.
namespace roost::fuzz::calendar {
namespace {

/// Joins folded lines (RFC 5545, 3.1).
std::string unfolded(std::string text) {
  for (auto at = text.find("\r\n "); at != std::string::npos; at = text.find("\r\n ", at)) text.erase(at, 3);
  return text;
}

/// Returns the value of a property of type TEXT (RFC 5545, 3.3.11).
std::string unescaped(std::string_view value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    require(value[i] != ',' && value[i] != ';', "commas and semicolons are escaped");
    if (value[i] != '\\') {
      text += value[i];
      continue;
    }
    require(++i < value.size(), "an escape is complete");
    text += value[i] == 'n' ? '\n' : value[i];
  }
  return text;
}

/// Returns the text that a reader should see: line ends as LF, and no control characters but LF and TAB.
std::string expected(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\r') {
      if (i + 1 == text.size() || text[i + 1] != '\n') shown += '\n';
    } else if (c == '\n' || c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != 0x7f)) {
      shown += c;
    }
  }
  return shown;
}

void check_lines(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find("\r\n");
    require(end != std::string_view::npos, "a line ends in CR LF");
    const auto line = text.substr(0, end);
    require(line.size() <= 75, "a line has at most 75 octets");
    require(domain::is_storable(line), "a fold splits no character");
    require(line.find_first_of("\r\n") == std::string_view::npos, "a line has no other line end");
    text.remove_prefix(end + 2);
  }
}

void check(std::string_view input) {
  if (!domain::is_storable(input)) return; // the store holds no other texts
  listings::content_lines lines;
  lines.add_text("SUMMARY", input);
  check_lines(lines.text());
  const auto line = unfolded(lines.text());
  constexpr std::string_view name = "SUMMARY:";
  require(line.starts_with(name) && line.ends_with("\r\n"), "a property is one line");
  const auto value = std::string_view{line}.substr(name.size(), line.size() - name.size() - 2);
  require(unescaped(value) == expected(input), "a reader sees the text");
}

const target registered{"calendar", "TextsInCalendarsAreReadAsTheyWere", check};

} // namespace
} // namespace roost::fuzz::calendar
