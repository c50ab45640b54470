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

/// What a unit looks like beside its terms, as full feeds show it: read from the store when one is written.
struct full_presentation {
  domain::property property;
  unit_presentation unit;
  std::map<std::string, std::string> link_urls; ///< by platform: where the landlord's unit is found on it
};

/// What a full listing is made from. Everything is only looked at.
struct full_source {
  const domain::account& account;
  const domain::unit& terms;
  const domain::calendar& calendar;
  const full_presentation& shown;
  const domain::platform& platform;
  std::string_view external_id; ///< the linked ID; the unit's UUID when it is not linked
};

/// Whether the platform has full feeds: marketplaces A, B, C and D (Partner API, Full feed).
bool has_full_feed(platform_kind kind);

/// Writes the listing in the platform's own shape (Partner API, Full-feed objects). Only stored blocks that
/// are not over are in it; placeholder images and the Wi-Fi password never are.
void write_full_listing(json_writer& json, const full_source& from, date today);

/// The brackets around a bulk answer: an array, and for marketplace C an object with `properties`.
struct bulk_brackets {
  std::string_view open, close;
};
bulk_brackets bulk_brackets_of(platform_kind kind);

} // namespace roost::domain
