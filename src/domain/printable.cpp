#include "domain/printable.hpp"

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

} // namespace roost::domain
