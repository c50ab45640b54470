#include "domain/one_line.hpp"

#include "domain/printable.hpp"

namespace roost::domain {

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

} // namespace roost::domain
