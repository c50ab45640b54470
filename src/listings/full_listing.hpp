#pragma once

#include "json/schema.hpp"
#include "json/writer.hpp"
#include "listings/listing.hpp"

#include <string_view>

namespace roost::listings {

/// Writes the listing in the platform's own format (Partner API, Full-feed objects). It shows only stored
/// blocks that have not ended, and never placeholder images or the Wi-Fi password. Throws std::logic_error
/// without a full feed.
void write_full_listing(json::writer& json, const full_source& from, domain::date today);

/// Adds the schemas of all formats.
void add_full_schemas(json::schemas& to);

/// The text around the listings of a bulk response: an array, or C's object with `properties`.
struct bulk_brackets {
  std::string_view open, close;
};
bulk_brackets bulk_brackets_of(domain::platform_kind kind);

} // namespace roost::listings
