#pragma once

#include <string_view>

/// Character classes and list syntax of HTTP's grammar, independent of locales.
namespace roost::ascii {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_alphanumeric(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z'); }

/// Returns the value of a hexadecimal digit, or -1 for any other character.
constexpr int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  const char letter = lower(c);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// tchar (RFC 9110, 5.6.2).
constexpr bool is_token_character(char c) {
  return is_alphanumeric(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

constexpr bool is_token(std::string_view text) {
  for (const char c : text)
    if (!is_token_character(c)) return false;
  return !text.empty();
}

/// Whether a byte is allowed in a field value (RFC 9110, 5.5), including white space.
constexpr bool is_field_value_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= ' ' && byte != 0x7f);
}

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

/// Removes spaces and tabs at both ends.
constexpr std::string_view trim(std::string_view text) {
  constexpr std::string_view blank = " \t";
  const auto first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// Removes and returns the text before the first `separator`, which is removed, too.
constexpr std::string_view take_until(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const auto part = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return part;
}

/// Removes and returns the next element of a comma-separated list (RFC 9110, 5.6.1), skipping empty ones; an
/// empty result means the end. Not for lists whose elements may contain quoted commas.
constexpr std::string_view next_element(std::string_view& list) {
  while (!list.empty())
    if (const auto element = trim(take_until(list, ',')); !element.empty()) return element;
  return {};
}

} // namespace roost::ascii
