#include "domain/case_folding.hpp"

#include "domain/lower_case.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <utf8proc.h>

namespace roost::domain {

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

} // namespace roost::domain
