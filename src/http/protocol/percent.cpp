#include "bytes/ascii.hpp"
#include "http/protocol/text_encoding.hpp"

namespace roost::http {

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
  decoded += text; // most texts have no such character, and are copied at once
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
