#pragma once

#include "domain/account.hpp"
#include "domain/calendar.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roost::listings {

/// The data from which a full listing is made; it must outlive the source.
struct full_source {
  const domain::account& account;
  const domain::property& property;
  const domain::unit& terms;
  const domain::unit_presentation& shown;
  const domain::calendar& calendar;
  const domain::platform& platform;
  std::string_view external_id;               ///< the linked ID, or the unit's UUID if it is not linked
  const std::optional<std::string>& link_url; ///< the unit's page on the platform
};

} // namespace roost::listings
