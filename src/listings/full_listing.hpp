#pragma once

#include "json/schema.hpp"
#include "json/writer.hpp"
#include "listings/full_source.hpp"

#include <string_view>

namespace roost::listings {

/// Writes the listing in the platform's own shape (Partner API, Full-feed objects). It shows only stored
/// blocks that are not over, and never placeholder images or the Wi-Fi password.
void write_full_listing(json::writer& json, const full_source& from, domain::date today);

/// Adds the schemas of all shapes.
void add_full_schemas(json::schemas& to);

/// The brackets around a bulk response: an array, and for marketplace C an object with `properties`.
struct bulk_brackets {
  std::string_view open, close;
};
bulk_brackets bulk_brackets_of(domain::platform_kind kind);

} // namespace roost::listings
