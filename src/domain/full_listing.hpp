#pragma once

#include "domain/full_source.hpp"
#include "domain/json.hpp"

#include <string_view>

namespace roost::domain {

/// Writes the listing in the platform's own shape (Partner API, Full-feed objects). Only stored blocks that
/// are not over are in it; placeholder images and the Wi-Fi password never are.
void write_full_listing(json_writer& json, const full_source& from, date today);

/// The brackets around a bulk answer: an array, and for marketplace C an object with `properties`.
struct bulk_brackets {
  std::string_view open, close;
};
bulk_brackets bulk_brackets_of(platform_kind kind);

} // namespace roost::domain
