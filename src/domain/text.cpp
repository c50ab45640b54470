#include "domain/text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utf8proc.h>

namespace roost::domain {

namespace {

/// Of the sequences that begin with the byte 0xe2.
bool acts(unsigned char second, unsigned char third) {
  if (second == 0x80) return third >= 0xa8 && third <= 0xae; // U+2028 to U+202E
  return second == 0x81 && third >= 0xa6 && third <= 0xa9;   // U+2066 to U+2069
}

} // namespace

std::size_t printable_sequence(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) { return i < text.size() && (at(i) & 0xc0) == 0x80; };
  if (text.empty()) return 0;
  const unsigned char lead = at(0);
  if (lead >= 0xc2 && lead <= 0xdf) {
    if (!continues(1)) return 0;
    return lead == 0xc2 && at(1) < 0xa0 ? 0 : 2;
  }
  if (lead >= 0xe0 && lead <= 0xef) {
    if (!continues(1) || !continues(2)) return 0;
    if ((lead == 0xe0 && at(1) < 0xa0) || (lead == 0xed && at(1) > 0x9f)) return 0;
    return lead == 0xe2 && acts(at(1), at(2)) ? 0 : 3;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    return (lead == 0xf0 && at(1) < 0x90) || (lead == 0xf4 && at(1) > 0x8f) ? 0 : 4;
  }
  return 0;
}

namespace {

/// The length of what is printed at the front of `text`; 0 for a space, a control and a broken sequence.
std::size_t printed_length(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte >= 0x80) return printable_sequence(text);
  return byte <= ' ' || byte == 0x7f ? 0 : 1;
}

} // namespace

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  bool gap = false;
  while (!text.empty()) {
    const auto length = printed_length(text);
    if (length == 0) {
      gap = !line.empty();
      text.remove_prefix(1);
      continue;
    }
    if (gap) line += ' ';
    gap = false;
    line += text.substr(0, length);
    text.remove_prefix(length);
  }
  return line;
}

namespace {

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; });
}

/// Text that utf8proc maps; nullopt if it is not UTF-8.
std::optional<std::string> mapped(std::string_view text, int options) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  utf8proc_uint8_t* made = nullptr;
  const auto length = utf8proc_map(bytes, static_cast<utf8proc_ssize_t>(text.size()), &made,
                                   static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(made, &std::free);
  if (length == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (length < 0) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(made), static_cast<std::size_t>(length));
}

/// How a folded letter that Unicode does not decompose is written without accents; nullopt: as it is.
std::optional<std::string_view> base_of(utf8proc_int32_t letter) {
  switch (letter) {
  case U'æ':
    return "ae";
  case U'ð':
  case U'đ':
    return "d";
  case U'ħ':
    return "h";
  case U'ı':
    return "i";
  case U'ĳ':
    return "ij";
  case U'ĸ':
    return "k";
  case U'ŀ':
  case U'ł':
    return "l";
  case U'ŋ':
    return "n";
  case U'ø':
    return "o";
  case U'œ':
    return "oe";
  case U'þ':
    return "th";
  case U'ŧ':
    return "t";
  case 0x2bc: // the apostrophe to which the letter U+0149 is folded
    return "";
  default:
    return std::nullopt;
  }
}

} // namespace

std::string folded_case(std::string_view text) {
  if (is_ascii(text)) return lower_case(text);
  return mapped(text, UTF8PROC_CASEFOLD).value_or(std::string(text));
}

std::string folded_without_accents(std::string_view text) {
  if (is_ascii(text)) return lower_case(text);
  const auto folded = mapped(text, UTF8PROC_CASEFOLD | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK);
  if (!folded) return lower_case(text);
  std::string without;
  for (std::size_t at = 0; at < folded->size();) {
    utf8proc_int32_t letter = 0;
    const auto length = static_cast<std::size_t>(
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(folded->data() + at),
                         static_cast<utf8proc_ssize_t>(folded->size() - at), &letter));
    without += base_of(letter).value_or(std::string_view(*folded).substr(at, length));
    at += length;
  }
  return without;
}

namespace {

/// A part of a User-Agent, and what people call it.
struct known_part {
  std::string_view part, name;
};

/// The first one found counts: most browsers name those that they want to be taken for as well.
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

template <std::size_t Count>
std::string_view name_in(std::string_view user_agent, const std::array<known_part, Count>& known) {
  const auto found = std::ranges::find_if(
      known, [&](const auto& each) { return user_agent.find(each.part) != std::string_view::npos; });
  return found == known.end() ? std::string_view{} : found->name;
}

/// The first product without its version (RFC 9110, 10.1.5).
std::string product_of(std::string_view user_agent) {
  constexpr std::size_t longest = 40;
  const auto product = user_agent.substr(0, user_agent.find_first_of("/ "));
  const bool shown = !product.empty() && product.size() <= longest &&
                     std::ranges::all_of(product, [](char c) { return c > ' ' && c <= '~'; });
  return shown ? std::string(product) : "Unknown browser";
}

} // namespace

std::string browser_name(std::string_view user_agent) {
  const auto browser = name_in(user_agent, browsers), system = name_in(user_agent, systems);
  if (browser.empty()) return product_of(user_agent);
  return std::string(browser) + (system.empty() ? "" : " on " + std::string(system));
}

} // namespace roost::domain
