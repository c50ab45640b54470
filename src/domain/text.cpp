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

constexpr std::size_t max_local_part = 64; // RFC 5321, 4.5.3.1
constexpr std::size_t max_domain = 254;
constexpr std::size_t max_label = 63; // RFC 1035, 2.3.4

using code_points = std::u32string;
using code_point_view = std::u32string_view;

constexpr bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_decimal(char32_t c) { return c >= '0' && c <= '9'; }

/// Returns whether a non-ASCII character is allowed in a local part or a top-level domain: the first plane,
/// without surrogates, private use and noncharacters.
constexpr bool is_foreign(char32_t c, char32_t first) {
  return (c >= first && c <= 0xd7ff) || (c >= 0xf900 && c <= 0xfdcf) || (c >= 0xfdf0 && c <= 0xffef);
}

/// Decodes UTF-8; empty if it is invalid.
code_points decoded(std::string_view text) {
  code_points result;
  while (!text.empty()) {
    const auto c = take_character(text);
    if (!c) return {};
    result += *c;
  }
  return result;
}

std::vector<code_point_view> parts_of(code_point_view text) {
  std::vector<code_point_view> parts;
  for (std::size_t from = 0;;) {
    const auto dot = text.find(U'.', from);
    parts.push_back(text.substr(from, dot - from));
    if (dot == code_point_view::npos) return parts;
    from = dot + 1;
  }
}

bool is_atom_character(char32_t c) {
  return is_letter(c) || is_decimal(c) ||
         code_point_view(U"!#$%&'*+-/=?^_`{|}~").find(c) != code_point_view::npos || is_foreign(c, 0xa1);
}

bool is_dotted(code_point_view local) {
  return std::ranges::all_of(parts_of(local), [](code_point_view part) {
    return !part.empty() && std::ranges::all_of(part, is_atom_character);
  });
}

/// RFC 5322, 3.2.4, without folding.
bool is_quoted(code_point_view local) {
  if (local.size() < 2 || local.back() != U'"') return false;
  const auto inner = local.substr(1, local.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const auto c = inner[i];
    if (c == U'\\') {
      if (++i == inner.size() || inner[i] == 0) return false;
    } else if (c == 0 || c == U'"') {
      return false;
    }
  }
  return true;
}

bool is_label(code_point_view label) {
  const auto allowed = [](char32_t c) {
    return is_letter(c) || is_decimal(c) || c == U'-' || (c >= 0xa1 && !(c >= 0xff01 && c <= 0xff5e));
  };
  return !label.empty() && label.size() <= max_label && label.front() != U'-' && label.back() != U'-' &&
         std::ranges::all_of(label, allowed);
}

bool is_top_level(code_point_view label) {
  if (label.size() < 2) return false;
  const auto lower = [](char32_t c) { return c | 0x20; };
  if (label.size() >= 4 && lower(label[0]) == U'x' && lower(label[1]) == U'n' &&
      std::ranges::all_of(label, [](char32_t c) { return is_letter(c) || is_decimal(c) || c == U'-'; }))
    return true;
  return std::ranges::all_of(label,
                             [](char32_t c) { return is_letter(c) || (is_foreign(c, 0xa1) && c != 0xa9); });
}

bool is_domain_name(code_point_view name) {
  const auto labels = parts_of(name);
  return labels.size() >= 2 && std::ranges::all_of(labels, is_label) && is_top_level(labels.back());
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

std::string browser_name(std::string_view user_agent) {
  const auto browser = name_in(user_agent, browsers), system = name_in(user_agent, systems);
  if (browser.empty()) return product_of(user_agent);
  return std::string(browser) + (system.empty() ? "" : " on " + std::string(system));
}

bool is_email_address(std::string_view text) {
  const auto at = text.rfind('@');
  if (at == std::string_view::npos || at == 0 || at > max_local_part) return false;
  if (text.size() - at - 1 > max_domain) return false;
  const auto local = decoded(text.substr(0, at));
  if (local.empty() || !is_domain_name(decoded(text.substr(at + 1)))) return false;
  return local.front() == U'"' ? is_quoted(local) : is_dotted(local);
}

std::string masked_email(std::string_view email) {
  const auto at = email.rfind('@');
  if (at == std::string_view::npos || at == 0) return "***";
  std::size_t first = 1; // the length of the first character
  while (first < at && (static_cast<unsigned char>(email[first]) & 0xc0) == 0x80) ++first;
  return std::string(email.substr(0, first)) + "***" + std::string(email.substr(at));
}

} // namespace roost::domain
