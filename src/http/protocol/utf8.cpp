#include "http/protocol/text_encoding.hpp"

#include <simdjson.h>

#include <algorithm>

namespace roost::http {

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::string to_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  constexpr std::string_view replacement = "\xef\xbf\xbd";
  constexpr std::size_t longest_sequence = 4;
  std::string fixed;
  fixed.reserve(text.size() + 16);
  while (!text.empty()) {
    std::size_t length = 1;
    while (length <= std::min(longest_sequence, text.size()) && !is_utf8(text.substr(0, length))) ++length;
    if (length <= std::min(longest_sequence, text.size())) {
      fixed += text.substr(0, length);
    } else {
      fixed += replacement;
      length = 1;
    }
    text.remove_prefix(length);
  }
  return fixed;
}

} // namespace roost::http
