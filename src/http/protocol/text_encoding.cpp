#include "http/protocol/text_encoding.hpp"

#include "bytes/ascii.hpp"

#include <simdjson.h>

#include <algorithm>

namespace roost::http {

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::string to_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  constexpr std::string_view replacement = "\xef\xbf\xbd";
  constexpr std::size_t max_sequence = 4;
  std::string result;
  result.reserve(text.size() + 16);
  while (!text.empty()) {
    std::size_t length = 1;
    while (length <= std::min(max_sequence, text.size()) && !is_utf8(text.substr(0, length))) ++length;
    if (length <= std::min(max_sequence, text.size())) {
      result += text.substr(0, length);
    } else {
      result += replacement;
      length = 1;
    }
    text.remove_prefix(length);
  }
  return result;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (auto percent = text.find('%'); percent != std::string_view::npos; percent = text.find('%')) {
    if (percent + 2 >= text.size()) return std::nullopt;
    const int high = ascii::hex_value(text[percent + 1]);
    const int low = ascii::hex_value(text[percent + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += text.substr(0, percent);
    decoded += static_cast<char>(high * 16 + low);
    text.remove_prefix(percent + 3);
  }
  decoded += text; // most texts have no escapes and are copied in one step
  if (!is_utf8(decoded)) return std::nullopt;
  return decoded;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (ascii::is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += digits[byte >> 4];
    encoded += digits[byte & 15];
  }
  return encoded;
}

} // namespace roost::http
