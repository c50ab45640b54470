#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace roost::domain {

/// What an assistant may do in an area of the tool server.
enum class tool_level : std::uint8_t { off, read_only, edit };

/// An area of the tool server; its name is a scope, too (Management API, Authorization server metadata).
struct tool_area {
  std::string_view name, title;
};

/// All of them, in the specification's order.
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

/// The area's place in tool_areas.
std::optional<std::size_t> find_tool_area(std::string_view name);

/// `read-only` and `edit`, as in portfolios; `off`.
std::string_view to_string(tool_level level);
std::optional<tool_level> parse_tool_level(std::string_view text);

/// How far the tools of each area go.
class tool_access {
public:
  tool_access() = default;
  /// As an account has it: area → `edit` or `read-only`. Anything else is off.
  explicit tool_access(const std::map<std::string, std::string>& by_name);

  tool_level level(std::size_t area) const { return levels_.at(area); }
  void set(std::size_t area, tool_level level) { levels_.at(area) = level; }
  /// Whether any area is not off.
  bool any() const;
  /// The names of those that are not off, with a space between them (RFC 6749, 3.3).
  std::string scope() const;

  bool operator==(const tool_access&) const = default;

private:
  std::array<tool_level, tool_areas.size()> levels_{};
};

} // namespace roost::domain
