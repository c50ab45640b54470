#include "domain/assistant.hpp"

#include <algorithm>

namespace roost::domain {

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
