#pragma once

#include "domain/property_request.hpp"
#include "http/protocol/error.hpp"
#include "json/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

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
