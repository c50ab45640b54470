#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

/// Texts: their letter case, what of them can be shown, and how they are kept.
namespace roost::domain {

/// Text of at most `Size` characters, in place: what is written into every row of every feed costs no memory.
template <std::size_t Size>
struct short_text {
  std::array<char, Size> characters{};
  std::size_t size = Size;

  std::string_view view() const { return {characters.data(), size}; }
};

/// Plain letters in lower case and everything else as it is, whatever the locale: for host names and names of
/// the configuration. Email addresses are compared by folded_case().
constexpr char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lower_case(c);
  return lower;
}

/// Text that is nearly always empty, and then costs no more than a pointer.
class rare_text {
public:
  rare_text() = default;
  explicit rare_text(std::string_view text) {
    if (!text.empty()) text_ = std::make_unique<const std::string>(text);
  }
  rare_text(const rare_text& other) : rare_text(other.view()) {}
  rare_text(rare_text&&) noexcept = default;
  rare_text& operator=(const rare_text& other) { return *this = rare_text(other); }
  rare_text& operator=(rare_text&&) noexcept = default;
  rare_text& operator=(std::string_view text) { return *this = rare_text(text); }
  ~rare_text() = default;

  std::string_view view() const { return text_ ? std::string_view{*text_} : std::string_view{}; }

  friend bool operator==(const rare_text& a, const rare_text& b) { return a.view() == b.view(); }
  friend bool operator==(const rare_text& a, std::string_view b) { return a.view() == b; }

private:
  std::unique_ptr<const std::string> text_;
};

/// The length of the well-formed UTF-8 sequence (RFC 3629) at the front of `text` that starts with a byte
/// above ASCII; 0 when there is none. What does not print but acts counts as none: C1 controls, the
/// separators U+2028 and U+2029, which some viewers break lines at, and what turns the writing direction
/// (U+202A to U+202E, U+2066 to U+2069), which makes a line look like another one.
std::size_t printable_sequence(std::string_view text);

/// Text for one line: a run of spaces and of what does not print (printable_sequence()) becomes one space, at
/// the ends nothing. What other people wrote goes through this before it stands in a subject or on a
/// terminal.
std::string one_line(std::string_view text);

/// UTF-8 text so that texts which differ in letter case alone become the same: full case folding (Unicode
/// Standard, 3.13, toCasefold), in which `ß` is `ss`. Addresses of mail are compared so, here and in the
/// store. Text that is no UTF-8 stays as it is.
std::string folded_case(std::string_view text);

/// The same without accents, for comparing names of places: combining marks are left out, and letters such as
/// ø and ł become the letters that they are made of.
std::string folded_without_accents(std::string_view text);

/// A browser as people know it, from its User-Agent: `Firefox on Windows`. Of programs that are no browser
/// the product (`curl`), and `Unknown browser` for what says nothing that can be shown.
std::string browser_name(std::string_view user_agent);

} // namespace roost::domain
