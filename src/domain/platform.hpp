#pragma once

#include "domain/uuid.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// The kinds of booking platform that the service knows (Partner API, Conventions). What differs between
/// them: traits_of().
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

std::optional<platform_kind> parse_platform_kind(std::string_view text);

/// As in the configuration: `marketplace-a`, `booking-engine`, …
std::string_view to_string(platform_kind kind);

std::vector<std::string_view> platform_kind_names();

/// One configured booking platform.
struct platform {
  std::string name; ///< lower case; used in messages, links and cards
  platform_kind kind{};
  std::string prefix;               ///< the route prefix, without slashes
  std::vector<std::string> domains; ///< where a landlord's link may point; subdomains count
  std::vector<std::string> regions; ///< marketplace D: the cities it accepts
  std::optional<uuid> account;      ///< single-landlord feeds: whose; none: not configured yet
};

/// Where the URL of a unit's page on a platform holds the platform's ID (Partner API, Unit mapping record).
enum class id_in_url {
  last_segment,
  static_id_else_last_segment, ///< the query parameter `staticId` first
  after_room,                  ///< the path segment after `/room/`
  after_house,                 ///< one or two segments after `/house/`, joined with an underscore
};

/// The marketplaces that have a shape of their own for full feeds and for webhooks.
enum class marketplace { none, a, b, c, d };

/// What the platforms of a kind have that others have not. Code that differs by kind asks for one of these,
/// so that a new kind is a row of the table in platform.cpp.
struct platform_traits {
  platform_kind kind;
  std::string_view name; ///< in the configuration

  id_in_url link = id_in_url::last_segment;
  /// A unit linked with `<property_id>` also matches `<property_id>_<room_id>` (Partner API, Unit mapping
  /// record).
  bool matches_by_property = false;
  /// All units of one landlord's account, linked or not; a listing is named by the unit's UUID.
  bool is_single_landlord = false;
  bool has_live_list = false; ///< its list is built for whoever reads it

  marketplace full_feed = marketplace::none;
  marketplace webhook = marketplace::none;
  bool takes_webhook_key = false;    ///< `x-api-key` in place of a token
  bool writes_listings = false;      ///< the booking engine's updates, creations and housemates
  bool accounts_move_away = false;   ///< to the native engine: 410 for them
  bool accepts_some_regions = false; ///< publishes units of the configured regions only

  /// The payment that a request leaves out follows from the rent (Partner API, Booking submission request).
  bool derives_payment = false;
  bool adds_extra_occupants = false;       ///< and to a payment of exactly the base rent
  bool has_costs = false;                  ///< rows of its lists have `costs`
  bool keeps_to_booking_window = false;    ///< generated rows and stay limits follow the first open window
  bool blocks_until_available = false;     ///< a generated row until `availableFrom`
  bool wants_price_of_every_month = false; ///< of a variable rent, in full feeds
};

const platform_traits& traits_of(platform_kind kind);

inline const platform_traits& traits_of(const platform& platform) { return traits_of(platform.kind); }

} // namespace roost::domain
