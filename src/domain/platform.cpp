#include "domain/platform.hpp"

#include <array>

namespace roost::domain {

namespace {

using enum platform_kind;

/// In the order of platform_kind.
constexpr std::array traits{
    platform_traits{.kind = marketplace_a,
                    .name = "marketplace-a",
                    .link = id_in_url::static_id_else_last_segment,
                    .full_feed = marketplace::a,
                    .webhook = marketplace::a,
                    .takes_webhook_key = true},
    platform_traits{.kind = marketplace_b,
                    .name = "marketplace-b",
                    .link = id_in_url::after_room,
                    .full_feed = marketplace::b,
                    .webhook = marketplace::b,
                    .has_costs = true,
                    .keeps_to_booking_window = true,
                    .wants_price_of_every_month = true},
    platform_traits{.kind = marketplace_c, .name = "marketplace-c", .full_feed = marketplace::c},
    platform_traits{.kind = marketplace_d,
                    .name = "marketplace-d",
                    .link = id_in_url::after_house,
                    .matches_by_property = true,
                    .full_feed = marketplace::d,
                    .accepts_some_regions = true,
                    .derives_payment = true,
                    .adds_extra_occupants = true},
    platform_traits{.kind = booking_engine,
                    .name = "booking-engine",
                    .link = id_in_url::after_house,
                    .matches_by_property = true,
                    .has_live_list = true,
                    .writes_listings = true,
                    .accounts_move_away = true,
                    .derives_payment = true},
    platform_traits{.kind = channel_manager, .name = "channel-manager"},
    platform_traits{.kind = room_sharing, .name = "room-sharing", .blocks_until_available = true},
    platform_traits{.kind = student_housing, .name = "student-housing"},
    platform_traits{.kind = single_landlord, .name = "single-landlord", .is_single_landlord = true},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < traits.size(); ++i)
    if (static_cast<std::size_t>(traits[i].kind) != i) return false;
  return true;
}
static_assert(is_in_order());

} // namespace

const platform_traits& traits_of(platform_kind kind) { return traits[static_cast<std::size_t>(kind)]; }

std::optional<platform_kind> parse_platform_kind(std::string_view text) {
  for (const auto& kind_traits : traits)
    if (kind_traits.name == text) return kind_traits.kind;
  return std::nullopt;
}

std::vector<std::string_view> platform_kind_names() {
  std::vector<std::string_view> names;
  names.reserve(traits.size());
  for (const auto& kind_traits : traits) names.push_back(kind_traits.name);
  return names;
}

std::string_view to_string(platform_kind kind) { return traits_of(kind).name; }

} // namespace roost::domain
