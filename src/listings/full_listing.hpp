#pragma once

#include "domain/account.hpp"
#include "domain/calendar.hpp"
#include "domain/platform.hpp"
#include "domain/unit.hpp"
#include "json/schema.hpp"
#include "json/writer.hpp"

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

/// Writes the listing in the platform's own format (Partner API, Full-feed objects). It shows only stored
/// blocks that have not ended, and never placeholder images or the Wi-Fi password. Throws std::logic_error if
/// the platform has no full feed.
void write_full_listing(json::writer& json, const full_source& from, domain::date today);

/// Adds the schemas of all formats.
void add_full_schemas(json::schemas& to);

/// The text around the listings of a bulk response: an array, or for marketplace C an object with
/// `properties`.
struct bulk_brackets {
  std::string_view open, close;
};
bulk_brackets bulk_brackets_of(domain::platform_kind kind);

} // namespace roost::listings
