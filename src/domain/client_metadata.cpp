#include "domain/client_metadata.hpp"

#include "domain/text.hpp"

#include <algorithm>
#include <cstddef>

namespace roost::domain {

namespace {

constexpr std::size_t longest_client_name = 255;

/// Whether a byte of UTF-8 begins a character.
bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }

} // namespace

std::string kept_client_name(std::string_view name) {
  auto text = one_line(name);
  std::size_t characters = 0;
  const auto end = std::ranges::find_if(
      text, [&](char byte) { return begins_character(byte) && characters++ == longest_client_name; });
  text.erase(end, text.end());
  return text;
}

std::vector<std::string> kept_grant_types(const std::vector<std::string>& wanted) {
  std::vector<std::string> kept;
  for (const auto type : client_grant_types)
    if (std::ranges::find(wanted, type) != wanted.end()) kept.emplace_back(type);
  if (kept.empty()) kept.assign(client_grant_types.begin(), client_grant_types.end());
  return kept;
}

} // namespace roost::domain
