#pragma once

#include "domain/uuid.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::domain {

/// The kinds of booking platform that the service knows (Partner API, Conventions). What differs between
/// them: platform_traits.hpp.
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

} // namespace roost::domain
