#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

/// Text: letter case, printable characters, storage, cells of tables, names of enumerators and names of
/// browsers.
namespace roost::domain {

/// Text of at most `Size` characters, stored in place: formatting the rows of feeds allocates no memory.
template <std::size_t Size>
struct short_text {
  std::array<char, Size> characters{};
  std::size_t size = Size;

  std::string_view view() const { return {characters.data(), size}; }
};

/// Converts ASCII letters to lower case and leaves the rest unchanged, independent of the locale: for host
/// names and names in the configuration. Email addresses are compared by email_key().
constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

/// An enumeration with names_of(value), an array of texts indexed by the value.
template <typename Enum>
concept named_enum = std::is_enum_v<Enum> && requires(Enum value) {
  names_of(value)[0];
};

template <named_enum Enum>
constexpr std::string_view to_string(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

/// Returns the value with this name; nullopt if there is none.
template <named_enum Enum>
constexpr std::optional<Enum> parse_name(std::string_view text) {
  const auto& names = names_of(Enum{});
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

/// Text that is nearly always empty, and then takes only a pointer's memory.
class boxed_text {
public:
  boxed_text() = default;
  explicit boxed_text(std::string_view text) {
    if (!text.empty()) text_ = std::make_unique<const std::string>(text);
  }
  boxed_text(const boxed_text& other) : boxed_text(other.view()) {}
  boxed_text(boxed_text&&) noexcept = default;
  boxed_text& operator=(const boxed_text& other) { return *this = boxed_text(other); }
  boxed_text& operator=(boxed_text&&) noexcept = default;
  boxed_text& operator=(std::string_view text) { return *this = boxed_text(text); }
  ~boxed_text() = default;

  std::string_view view() const { return text_ ? std::string_view{*text_} : std::string_view{}; }

  friend bool operator==(const boxed_text& a, const boxed_text& b) { return a.view() == b.view(); }
  friend bool operator==(const boxed_text& a, std::string_view b) { return a.view() == b; }

private:
  std::unique_ptr<const std::string> text_;
};

/// Removes and returns the first character of UTF-8 text; nullopt if there is no well-formed one (RFC 3629).
std::optional<char32_t> take_character(std::string_view& text);

/// Returns the length of the printable, well-formed, non-ASCII UTF-8 sequence (RFC 3629) at the front of
/// `text`; 0 if there is none. Not printable are C1 controls, the separators U+2028 and U+2029, at which some
/// viewers break lines, and controls of the writing direction (U+202A to U+202E, U+2066 to U+2069), which can
/// disguise a line.
std::size_t printable_sequence(std::string_view text);

/// Returns the number of characters, not bytes, of UTF-8 text.
std::size_t character_count(std::string_view text);

/// Returns the Levenshtein distance: how many bytes must be inserted, removed or replaced to turn one text
/// into the other.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// Returns the text as one line: each run of spaces and unprintable characters (printable_sequence()) becomes
/// one space, and none at the ends. Untrusted text must pass through it before it appears in a subject or on
/// a terminal.
std::string one_line(std::string_view text);

/// Returns UTF-8 text without characters that display nothing, such as zero-width ones, variation selectors
/// and unassigned ones, and with a plain space for each other one that displays as blank: two texts that look
/// the same should be the same. Bytes that are not UTF-8 become spaces.
std::string without_invisible_characters(std::string_view text);

/// Returns the full case folding (Unicode Standard, 3.13, toCasefold) of UTF-8 text, in which `ß` is `ss`.
/// Text that is not UTF-8 is unchanged.
std::string folded_case(std::string_view text);

/// Returns the case folding without accents, for comparing names of places: combining marks are removed, and
/// letters such as ø and ł are replaced by their base letters.
std::string folded_without_accents(std::string_view text);

/// Returns a cell of a CSV table: values with commas, quotes or line breaks are quoted (RFC 4180, 2).
std::string csv_cell(std::string_view text);

/// Returns text with an apostrophe before what a spreadsheet would run as a formula, and one more before a
/// formula that has apostrophes already, so that the text can be restored.
std::string escape_formula(std::string_view text);

/// Returns the text that escape_formula() was given.
std::string_view unescape_formula(std::string_view text);

/// Returns a browser's display name from its User-Agent: `Firefox on Windows`. For other programs it is the
/// product (`curl`), or `Unknown browser` if that is missing, too long or unprintable.
std::string browser_name(std::string_view user_agent);

} // namespace roost::domain
