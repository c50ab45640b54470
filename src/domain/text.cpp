#include "domain/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <numeric>
#include <span>
#include <utf8proc.h>
#include <utility>
#include <vector>

namespace roost::domain {

std::optional<char32_t> take_character(std::string_view& text) {
  utf8proc_int32_t character = 0;
  const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                     static_cast<utf8proc_ssize_t>(text.size()), &character);
  if (size < 1) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(size));
  return static_cast<char32_t>(character);
}

std::size_t printable_sequence(std::string_view text) {
  const auto size = text.size();
  const auto c = take_character(text);
  if (!c || *c < 0xa0 || (*c >= 0x2028 && *c <= 0x202e) || (*c >= 0x2066 && *c <= 0x2069)) return 0;
  return size - text.size();
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1); // of the matrix
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

namespace {

/// Returns the length of the printable character, not a space, at the front of `text`; 0 if there is none.
std::size_t printed_length(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte >= 0x80) return printable_sequence(text);
  return byte <= ' ' || byte == 0x7f ? 0 : 1;
}

struct character_range {
  char32_t first, last;
};
/// Characters that display nothing although their general category is that of visible ones (Unicode, 5.21:
/// default ignorable code points).
constexpr std::array<character_range, 8> ignorable_characters{{{0x034f, 0x034f},
                                                               {0x115f, 0x1160},
                                                               {0x17b4, 0x17b5},
                                                               {0x180b, 0x180f},
                                                               {0x3164, 0x3164},
                                                               {0xfe00, 0xfe0f},
                                                               {0xffa0, 0xffa0},
                                                               {0xe0000, 0xe0fff}}};

bool is_invisible(char32_t c) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
  case UTF8PROC_CATEGORY_CF: // format: zero width, writing direction
  case UTF8PROC_CATEGORY_CN: // unassigned
  case UTF8PROC_CATEGORY_CO: // private use
    return true;
  default:
    return std::ranges::any_of(ignorable_characters,
                               [&](const auto& range) { return c >= range.first && c <= range.last; });
  }
}

/// Returns whether a character is a space, a control, or the empty Braille pattern.
bool is_blank(char32_t c) {
  constexpr char32_t empty_braille_pattern = 0x2800;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
  case UTF8PROC_CATEGORY_ZS:
  case UTF8PROC_CATEGORY_ZL:
  case UTF8PROC_CATEGORY_ZP:
  case UTF8PROC_CATEGORY_CC:
    return true;
  default:
    return c == empty_braille_pattern;
  }
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; });
}

/// Maps text with utf8proc; nullopt if it is not UTF-8.
std::optional<std::string> mapped(std::string_view text, int options) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  utf8proc_uint8_t* result = nullptr;
  const auto length = utf8proc_map(bytes, static_cast<utf8proc_ssize_t>(text.size()), &result,
                                   static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(result, &std::free);
  if (length == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (length < 0) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(result), static_cast<std::size_t>(length));
}

/// Folded letters that Unicode does not decompose, and their forms without accents.
constexpr std::array<std::pair<char32_t, std::string_view>, 15> undecomposed_letters{
    {{U'æ', "ae"},
     {U'ð', "d"},
     {U'đ', "d"},
     {U'ħ', "h"},
     {U'ı', "i"},
     {U'ĳ', "ij"},
     {U'ĸ', "k"},
     {U'ŀ', "l"},
     {U'ł', "l"},
     {U'ŋ', "n"},
     {U'ø', "o"},
     {U'œ', "oe"},
     {U'þ', "th"},
     {U'ŧ', "t"},
     {0x2bc, ""}}}; // the apostrophe that results from folding U+0149

/// A part of a User-Agent, and the display name of what it identifies.
struct known_part {
  std::string_view part, name;
};

/// In the order of precedence: most browsers also name the browsers that they are compatible with.
constexpr std::array<known_part, 10> browsers{{{"Edg", "Edge"}, // Edg/, EdgA/, EdgiOS/
                                               {"OPR/", "Opera"},
                                               {"SamsungBrowser/", "Samsung Internet"},
                                               {"Vivaldi/", "Vivaldi"},
                                               {"FxiOS/", "Firefox"},
                                               {"Firefox/", "Firefox"},
                                               {"CriOS/", "Chrome"},
                                               {"Chrome/", "Chrome"},
                                               {"Chromium/", "Chromium"},
                                               {"Safari/", "Safari"}}};

constexpr std::array<known_part, 8> systems{{{"Android", "Android"},
                                             {"iPhone", "iPhone"},
                                             {"iPad", "iPad"},
                                             {"Windows", "Windows"},
                                             {"CrOS", "ChromeOS"},
                                             {"Macintosh", "macOS"},
                                             {"X11", "Linux"},
                                             {"Linux", "Linux"}}};

std::string_view name_in(std::string_view user_agent, std::span<const known_part> known) {
  const auto match = std::ranges::find_if(
      known, [&](const auto& entry) { return user_agent.find(entry.part) != std::string_view::npos; });
  return match == known.end() ? std::string_view{} : match->name;
}

/// Returns the first product without its version (RFC 9110, 10.1.5).
std::string product_of(std::string_view user_agent) {
  constexpr std::size_t max_length = 40;
  const auto product = user_agent.substr(0, user_agent.find_first_of("/ "));
  const bool printable = !product.empty() && product.size() <= max_length &&
                         std::ranges::all_of(product, [](char c) { return c > ' ' && c <= '~'; });
  return printable ? std::string(product) : "Unknown browser";
}

} // namespace

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  bool gap = false;
  while (!text.empty()) {
    const auto length = printed_length(text);
    if (length > 0 && gap) line += ' ';
    gap = length == 0 && !line.empty();
    line += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return line;
}

std::string without_invisible_characters(std::string_view text) {
  std::string visible;
  visible.reserve(text.size());
  while (!text.empty()) {
    const auto before = text;
    const auto c = take_character(text);
    if (!c) text.remove_prefix(1);
    if (!c || is_blank(*c))
      visible += ' ';
    else if (!is_invisible(*c))
      visible += before.substr(0, before.size() - text.size());
  }
  return visible;
}

std::string folded_case(std::string_view text) {
  if (is_ascii(text)) return lower_case(text);
  return mapped(text, UTF8PROC_CASEFOLD).value_or(std::string(text));
}

std::string folded_without_accents(std::string_view text) {
  if (is_ascii(text)) return lower_case(text);
  const auto folded = mapped(text, UTF8PROC_CASEFOLD | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK);
  if (!folded) return lower_case(text);
  std::string without;
  for (std::string_view rest = *folded; !rest.empty();) {
    const auto from = rest;
    const auto letter = take_character(rest).value(); // utf8proc_map returns well-formed text
    const auto known =
        std::ranges::find(undecomposed_letters, letter, &std::pair<char32_t, std::string_view>::first);
    without +=
        known == undecomposed_letters.end() ? from.substr(0, from.size() - rest.size()) : known->second;
  }
  return without;
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char each : text) cell.append(each == '"' ? 2 : 1, each);
  return cell += '"';
}

namespace {

/// Returns whether a formula follows the apostrophes at the start of the text, if it has any.
bool has_formula(std::string_view text) {
  const auto start = text.find_first_not_of('\'');
  return start != std::string_view::npos &&
         std::string_view("=+-@\t\r").find(text[start]) != std::string_view::npos;
}

} // namespace

std::string escape_formula(std::string_view text) {
  return (has_formula(text) ? "'" : "") + std::string(text);
}

std::string_view unescape_formula(std::string_view text) {
  return text.starts_with('\'') && has_formula(text) ? text.substr(1) : text;
}

std::string browser_name(std::string_view user_agent) {
  const auto browser = name_in(user_agent, browsers), system = name_in(user_agent, systems);
  if (browser.empty()) return product_of(user_agent);
  return std::string(browser) + (system.empty() ? "" : " on " + std::string(system));
}

} // namespace roost::domain
