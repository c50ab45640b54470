#pragma once

#include "domain/text.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// Assistants: their access to the tool server.
namespace roost::domain {

/// An assistant's level of access to an area of the tool server.
enum class tool_level : std::uint8_t { off, read_only, edit };

/// As in portfolio files, except for `off`.
inline constexpr std::array<std::string_view, 3> tool_level_names{"off", "read-only", "edit"};
constexpr const auto& names_of(tool_level) { return tool_level_names; }

/// An area of the tool server; its name is also a scope (Management API, Authorization server metadata).
struct tool_area {
  std::string_view name, title;
};

/// All areas, in the specification's order.
inline constexpr std::array<tool_area, 14> tool_areas{{{"bookings", "Bookings"},
                                                       {"listings", "Listings"},
                                                       {"properties", "Properties"},
                                                       {"tenants", "Tenants"},
                                                       {"maintenance", "Maintenance"},
                                                       {"payments", "Payments"},
                                                       {"bills", "Bills"},
                                                       {"owners", "Owners"},
                                                       {"analytics", "Analytics"},
                                                       {"channels", "Channels"},
                                                       {"communication", "Communication"},
                                                       {"support", "Support"},
                                                       {"scheduledReports", "Scheduled reports"},
                                                       {"team", "Team"}}};

/// Returns the area's index in tool_areas; nullopt if there is no such area.
std::optional<std::size_t> find_tool_area(std::string_view name);

/// The level of access to each area.
class tool_access {
public:
  tool_access() = default;
  /// Reads an account's levels: area → `edit` or `read-only`. Anything else is off.
  explicit tool_access(const std::map<std::string, std::string>& by_name);

  tool_level level(std::size_t area) const { return levels_.at(area); }
  void set(std::size_t area, tool_level level) { levels_.at(area) = level; }
  /// Returns whether any area is not off.
  bool any() const;
  /// Returns the names of the areas that are not off, separated by spaces (RFC 6749, 3.3).
  std::string scope() const;

  bool operator==(const tool_access&) const = default;

private:
  std::array<tool_level, tool_areas.size()> levels_{};
};

} // namespace roost::domain
