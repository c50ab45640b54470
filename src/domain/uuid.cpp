#include "domain/uuid.hpp"

#include <boost/uuid/uuid_io.hpp>

#include <algorithm>

namespace roost::domain {

namespace {

constexpr std::size_t canonical_length = 36;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_dash_position(std::size_t i) { return i == 8 || i == 13 || i == 18 || i == 23; }

} // namespace

std::optional<uuid> parse_uuid(std::string_view text) {
  if (text.size() != canonical_length) return std::nullopt;
  uuid id{};
  std::size_t nibble = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_dash_position(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const int digit = hex_digit(text[i]);
    if (digit < 0) return std::nullopt;
    auto& byte = id.data[nibble / 2];
    byte = static_cast<std::uint8_t>(nibble % 2 == 0 ? digit << 4 : byte | digit);
    ++nibble;
  }
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
