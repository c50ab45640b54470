#include "oauth/client.hpp"

#include "domain/text.hpp"

#include <algorithm>

namespace roost::oauth {

std::string stored_client_name(std::string_view name) {
  constexpr std::size_t max_client_name = 255; // characters
  auto text = domain::one_line(domain::without_invisible_characters(name));
  std::string_view rest = text;
  for (std::size_t kept = 0; kept < max_client_name && domain::take_character(rest); ++kept) continue;
  text.resize(text.size() - rest.size());
  return text;
}

std::vector<std::string> stored_grant_types(const std::vector<std::string>& requested) {
  std::vector<std::string> kept;
  for (const auto type : client_grant_types)
    if (std::ranges::find(requested, type) != requested.end()) kept.emplace_back(type);
  if (kept.empty()) kept.assign(client_grant_types.begin(), client_grant_types.end());
  return kept;
}

} // namespace roost::oauth
