#include "domain/uuid.hpp"

#include <boost/uuid/uuid_io.hpp>

#include <algorithm>
#include <array>

namespace roost::domain {

namespace {

constexpr std::size_t canonical_length = 36;
constexpr std::array dash_positions{8, 13, 18, 23};
/// The position of each byte's two digits.
constexpr std::array byte_positions{0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};

constexpr auto hex_digits = [] {
  std::array<std::int8_t, 256> values{};
  values.fill(-1);
  for (int i = 0; i < 10; ++i) values['0' + i] = static_cast<std::int8_t>(i);
  for (int i = 0; i < 6; ++i) values['a' + i] = values['A' + i] = static_cast<std::int8_t>(10 + i);
  return values;
}();

int hex_digit(char c) { return hex_digits[static_cast<unsigned char>(c)]; }

} // namespace

std::optional<uuid> parse_uuid(std::string_view text) {
  if (text.size() != canonical_length) return std::nullopt;
  for (const int position : dash_positions)
    if (text[position] != '-') return std::nullopt;
  uuid id{};
  int all = 0; // negative if any character is not a digit
  for (std::size_t i = 0; i < byte_positions.size(); ++i) {
    const int high = hex_digit(text[byte_positions[i]]), low = hex_digit(text[byte_positions[i] + 1]);
    all |= high | low;
    id.data[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  if (all < 0) return std::nullopt;
  return id;
}

std::string to_string(const uuid& id) { return boost::uuids::to_string(id); }

bool is_rfc_uuid(std::string_view text) {
  const auto id = parse_uuid(text);
  if (!id) return false;
  if (id->is_nil() || std::ranges::all_of(id->data, [](std::uint8_t byte) { return byte == 0xff; }))
    return true;
  const int version = id->data[6] >> 4;
  const bool proper_variant = (id->data[8] & 0xc0) == 0x80;
  return version >= 1 && version <= 8 && proper_variant;
}

} // namespace roost::domain
