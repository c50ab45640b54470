#include "domain/entered_text.hpp"

#include "domain/text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <utf8proc.h>

namespace roost::domain {

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

std::string_view without_outer_blanks(std::string_view text) {
  constexpr auto is_blank = [](char32_t c) {
    return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xa0 || (c >= 0x2000 && c <= 0x200f) ||
           c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x2060 || c == 0x3000 || c == 0xfeff;
  };
  for (auto rest = text;; text = rest) {
    const auto c = take_character(rest);
    if (!c || !is_blank(*c)) break;
  }
  std::size_t kept = 0;
  for (auto rest = text; !rest.empty();) {
    const auto c = take_character(rest);
    if (!c) rest.remove_prefix(1);
    if (!c || !is_blank(*c)) kept = text.size() - rest.size();
  }
  return text.substr(0, kept);
}

std::string digits_of(std::string_view text) {
  // ASCII, Arabic, Persian, Devanagari, Bengali, Thai and full-width zeros, each followed by the other digits
  constexpr std::array<char32_t, 7> zeros{U'0', 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10};
  std::string digits;
  while (!text.empty()) {
    const auto c = take_character(text);
    if (!c) text.remove_prefix(1);
    for (const auto zero : zeros)
      if (c && *c >= zero && *c <= zero + 9) digits += static_cast<char>('0' + (*c - zero));
  }
  return digits;
}

std::string composed(std::string_view text) {
  if (std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; })) return std::string(text);
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  utf8proc_uint8_t* result = nullptr;
  const auto length = utf8proc_map(bytes, static_cast<utf8proc_ssize_t>(text.size()), &result,
                                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(result, &std::free);
  if (length == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (length < 0) return std::string(text);
  return std::string(reinterpret_cast<const char*>(result), static_cast<std::size_t>(length));
}

} // namespace roost::domain
