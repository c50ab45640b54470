#pragma once

#include "domain/listing_edit.hpp"
#include "json/schema.hpp"

#include <string>

namespace roost::http {

inline constexpr const char* reversed_stay_limits =
    "Min stay period cannot be greater than max stay period (unless max is 0)";

/// The body of `PUT /<engine-prefix>/listing`.
struct listing_update {
  std::string external_id;
  domain::listing_edit edit;
};

/// Reads and checks a listing update (Partner API, Listing update). Every field is required, also those that
/// are not saved. Throws bad_request.
listing_update parse_listing_update(std::string& body);

void add_listing_update_schema(json::schemas& to);

} // namespace roost::http
