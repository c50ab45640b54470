#pragma once

#include "domain/text.hpp"
#include "domain/uuid.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// The supported kinds of booking platform (Partner API, Conventions). traits_of() returns their differences.
enum class platform_kind {
  marketplace_a,
  marketplace_b,
  marketplace_c,
  marketplace_d,
  booking_engine,
  channel_manager,
  room_sharing,
  student_housing,
  single_landlord,
};

/// As in the configuration.
inline constexpr std::array<std::string_view, 9> platform_kind_names{
    "marketplace-a",   "marketplace-b", "marketplace-c",   "marketplace-d",  "booking-engine",
    "channel-manager", "room-sharing",  "student-housing", "single-landlord"};
constexpr const auto& names_of(platform_kind) { return platform_kind_names; }

/// What a platform may do beyond submitting bookings.
enum class platform_right { cancel, change, hold };

/// As in the configuration.
inline constexpr std::array<std::string_view, 3> platform_right_names{"cancel", "change", "hold"};
constexpr const auto& names_of(platform_right) { return platform_right_names; }

/// One configured booking platform.
struct platform {
  std::string name; ///< lower case; used in messages, links and cards
  platform_kind kind{};
  std::string prefix;               ///< the route prefix, without slashes
  std::vector<std::string> domains; ///< allowed domains of landlords' links, including subdomains
  std::vector<std::string> regions; ///< marketplace D: the cities it accepts
  std::optional<uuid> account;      ///< single-landlord feeds: the landlord; nullopt: not configured yet
  std::vector<platform_right> may;  ///< each right once

  bool has(platform_right right) const { return std::ranges::find(may, right) != may.end(); }
};

/// The position of the platform's ID in the URL of a unit's page (Partner API, Unit mapping record).
enum class id_in_url {
  last_segment,
  static_id_else_last_segment, ///< the query parameter `staticId` first
  after_room,                  ///< the path segment after `/room/`
  after_house,                 ///< one or two segments after `/house/`, joined with an underscore
};

/// The marketplaces with their own formats of full feeds and webhooks.
enum class marketplace { none, a, b, c, d };

/// The differences between kinds of platform. A new kind only needs a row in the table in platform.cpp.
struct platform_traits {
  platform_kind kind;

  id_in_url link = id_in_url::last_segment;
  /// A unit linked with `<property_id>` matches `<property_id>_<room_id>` (Partner API, Unit mapping record).
  bool matches_by_property = false;
  /// The feed has all units of one landlord's account; an unlinked unit has its UUID as external ID.
  bool is_single_landlord = false;
  bool has_live_list = false; ///< its list is built per request

  marketplace full_feed = marketplace::none;
  marketplace webhook = marketplace::none;
  bool takes_webhook_key = false;    ///< `x-api-key` instead of a token
  bool writes_listings = false;      ///< the booking engine's updates, property creations and housemates
  bool accounts_move_away = false;   ///< to the native engine: their routes return 410
  bool accepts_some_regions = false; ///< publishes units of the configured regions only

  /// A missing payment is derived from the rent (Partner API, Booking submission request).
  bool derives_payment = false;
  bool adds_extra_occupants = false;       ///< also to a payment of exactly the base rent
  bool has_costs = false;                  ///< listings have `costs`
  bool keeps_to_booking_window = false;    ///< generated rows and stay limits follow the open booking window
  bool blocks_until_available = false;     ///< listings have a generated row until `availableFrom`
  bool wants_price_of_every_month = false; ///< full feeds need every month's price if the rent varies
};

const platform_traits& traits_of(platform_kind kind);

inline const platform_traits& traits_of(const platform& platform) { return traits_of(platform.kind); }

} // namespace roost::domain
