#include "domain/json.hpp"

#include <charconv>
#include <cmath>

namespace roost::domain {

namespace {

constexpr std::size_t first_room = 4096; // most listings

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

/// RFC 8259, section 7; answers the end.
char* write_escaped(char* at, char c) {
  constexpr std::string_view hex = "0123456789ABCDEF", named = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
  *at++ = '\\';
  if (const auto known = named.find(c); known != std::string_view::npos) {
    *at++ = letters[known];
    return at;
  }
  const auto code = static_cast<unsigned char>(c);
  std::memcpy(at, "u00", 3);
  at[3] = hex[code >> 4];
  at[4] = hex[code & 0xf];
  return at + 5;
}

} // namespace

void json_writer::value(std::string_view text) {
  if (std::ranges::none_of(text, needs_escape)) return quote(text.data(), text.size());
  constexpr std::size_t longest = 6; // of an escaped character
  char* at = item(text.size() * longest + 2);
  *at++ = '"';
  for (const char c : text) {
    if (needs_escape(c))
      at = write_escaped(at, c);
    else
      *at++ = c;
  }
  *at++ = '"';
  end_ = at;
}

void json_writer::whole_number(std::int64_t number) {
  constexpr std::size_t longest = 20;
  char* at = item(longest);
  end_ = std::to_chars(at, at + longest, number).ptr;
}

void json_writer::decimal_number(double number) {
  if (!std::isfinite(number)) return null(); // JSON has no such number
  constexpr std::size_t longest = 32;
  char* at = item(longest);
  end_ = std::to_chars(at, at + longest, number).ptr;
}

void json_writer::grow(std::size_t bytes) {
  const auto used = static_cast<std::size_t>(end_ - buffer_.get());
  const auto size = std::max({first_room, used + bytes, used * 2});
  std::unique_ptr<char[]> larger{new char[size]}; // not cleared, as make_unique's would be
  if (used > 0) std::memcpy(larger.get(), buffer_.get(), used);
  buffer_ = std::move(larger);
  end_ = buffer_.get() + used;
  limit_ = buffer_.get() + size;
}

} // namespace roost::domain
