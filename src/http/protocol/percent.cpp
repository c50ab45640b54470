#include "http/protocol/percent.hpp"

#include "bytes/ascii.hpp"
#include "http/protocol/utf8.hpp"

namespace roost::http {

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = ascii::hex_value(text[i + 1]);
    const int low = ascii::hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    decoded += static_cast<char>(high * 16 + low);
    i += 2;
  }
  if (!is_utf8(decoded)) return std::nullopt;
  return decoded;
}

} // namespace roost::http
