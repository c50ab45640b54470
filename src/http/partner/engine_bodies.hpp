#pragma once

#include "domain/listing_edit.hpp"
#include "domain/property_request.hpp"
#include "http/protocol/error.hpp"
#include "json/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

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

/// Reads and checks the body of `POST /<engine-prefix>/property-listing` (Partner API, Property creation).
/// Throws bad_request for every error that the body alone reveals, except those that make a single room fail.
domain::property_request parse_property_request(std::string& body);

void add_property_schemas(json::schemas& to);

/// Returns the records of a created property and its units (Partner API, Property creation). `id` is the
/// engine's.
std::string created_json(const domain::created_property& created, std::string_view id,
                         std::string_view platform);

/// Returns the response for an account that has switched property creation off.
std::string nothing_created_json();

/// Returns the residents of a property (Partner API, Housemates).
std::string housemates_json(const std::vector<domain::housemate>& residents);

/// Adds the schemas of these responses.
void add_engine_schemas(json::schemas& to);

/// Returns the error for a room that was not created (Partner API, Errors: property creation).
error to_error(domain::room_problem problem);

} // namespace roost::http
