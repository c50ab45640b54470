#include "domain/assistant.hpp"

#include <algorithm>

namespace roost::domain {

std::string kept_client_name(std::string_view name) {
  constexpr std::size_t max_client_name = 255; // characters
  auto text = one_line(name);
  std::string_view rest = text;
  for (std::size_t kept = 0; kept < max_client_name && take_character(rest); ++kept) continue;
  text.resize(text.size() - rest.size());
  return text;
}

std::vector<std::string> kept_grant_types(const std::vector<std::string>& requested) {
  std::vector<std::string> kept;
  for (const auto type : client_grant_types)
    if (std::ranges::find(requested, type) != requested.end()) kept.emplace_back(type);
  if (kept.empty()) kept.assign(client_grant_types.begin(), client_grant_types.end());
  return kept;
}

std::optional<std::size_t> find_tool_area(std::string_view name) {
  const auto match = std::ranges::find(tool_areas, name, &tool_area::name);
  if (match == tool_areas.end()) return std::nullopt;
  return static_cast<std::size_t>(match - tool_areas.begin());
}

tool_access::tool_access(const std::map<std::string, std::string>& by_name) {
  for (const auto& [name, level] : by_name)
    if (const auto area = find_tool_area(name))
      set(*area, parse_name<tool_level>(level).value_or(tool_level::off));
}

bool tool_access::any() const {
  return std::ranges::any_of(levels_, [](tool_level level) { return level != tool_level::off; });
}

std::string tool_access::scope() const {
  std::string names;
  for (std::size_t area = 0; area < tool_areas.size(); ++area) {
    if (levels_.at(area) == tool_level::off) continue;
    if (!names.empty()) names += ' ';
    names += tool_areas.at(area).name;
  }
  return names;
}

} // namespace roost::domain
