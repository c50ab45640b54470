#include "domain/platform.hpp"

#include <array>
#include <utility>

namespace roost::domain {

namespace {

constexpr std::array<std::pair<platform_kind, std::string_view>, 9> names{{
    {platform_kind::marketplace_a, "marketplace-a"},
    {platform_kind::marketplace_b, "marketplace-b"},
    {platform_kind::marketplace_c, "marketplace-c"},
    {platform_kind::marketplace_d, "marketplace-d"},
    {platform_kind::booking_engine, "booking-engine"},
    {platform_kind::channel_manager, "channel-manager"},
    {platform_kind::room_sharing, "room-sharing"},
    {platform_kind::student_housing, "student-housing"},
    {platform_kind::single_landlord, "single-landlord"},
}};

} // namespace

std::optional<platform_kind> parse_platform_kind(std::string_view text) {
  for (const auto& [kind, name] : names)
    if (name == text) return kind;
  return std::nullopt;
}

std::string_view to_string(platform_kind kind) { return names[static_cast<std::size_t>(kind)].second; }

} // namespace roost::domain
