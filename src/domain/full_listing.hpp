#pragma once

#include "domain/account.hpp"
#include "domain/calendar.hpp"
#include "domain/json.hpp"
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

/// Writes the listing in the platform's own shape (Partner API, Full-feed objects). Only stored blocks that
/// are not over are in it; placeholder images and the Wi-Fi password never are.
void write_full_listing(json_writer& json, const full_source& from, date today);

/// The brackets around a bulk answer: an array, and for marketplace C an object with `properties`.
struct bulk_brackets {
  std::string_view open, close;
};
bulk_brackets bulk_brackets_of(platform_kind kind);

} // namespace roost::domain
