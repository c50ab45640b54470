#pragma once

#include "domain/account.hpp"
#include "domain/calendar.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace roost::domain {

/// What a full listing is made from. Everything is only looked at.
struct full_source {
  const domain::account& account;
  const domain::property& property;
  const domain::unit& terms;
  const unit_presentation& shown;
  const domain::calendar& calendar;
  const domain::platform& platform;
  std::string_view external_id;               ///< the linked ID; the unit's UUID when it is not linked
  const std::optional<std::string>& link_url; ///< where the unit is found on the platform
};

} // namespace roost::domain
