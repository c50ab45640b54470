#include "domain/platform.hpp"

namespace roost::domain {

namespace {

using enum platform_kind;

/// In the order of platform_kind.
constexpr std::array traits{
    platform_traits{.kind = marketplace_a,
                    .link = id_in_url::static_id_else_last_segment,
                    .full_feed = marketplace::a,
                    .webhook = marketplace::a,
                    .takes_webhook_key = true},
    platform_traits{.kind = marketplace_b,
                    .link = id_in_url::after_room,
                    .full_feed = marketplace::b,
                    .webhook = marketplace::b,
                    .has_costs = true,
                    .keeps_to_booking_window = true,
                    .wants_price_of_every_month = true},
    platform_traits{.kind = marketplace_c, .full_feed = marketplace::c},
    platform_traits{.kind = marketplace_d,
                    .link = id_in_url::after_house,
                    .matches_by_property = true,
                    .full_feed = marketplace::d,
                    .accepts_some_regions = true,
                    .derives_payment = true,
                    .adds_extra_occupants = true},
    platform_traits{.kind = booking_engine,
                    .link = id_in_url::after_house,
                    .matches_by_property = true,
                    .has_live_list = true,
                    .writes_listings = true,
                    .accounts_move_away = true,
                    .derives_payment = true},
    platform_traits{.kind = channel_manager},
    platform_traits{.kind = room_sharing, .blocks_until_available = true},
    platform_traits{.kind = student_housing},
    platform_traits{.kind = single_landlord, .is_single_landlord = true},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < traits.size(); ++i)
    if (static_cast<std::size_t>(traits[i].kind) != i) return false;
  return true;
}
static_assert(is_in_order());

} // namespace

const platform_traits& traits_of(platform_kind kind) { return traits[static_cast<std::size_t>(kind)]; }

} // namespace roost::domain
