#pragma once

#include "domain/property_request.hpp"
#include "json/schema.hpp"

#include <string>

namespace roost::http {

/// Reads and checks the body of `POST /<engine-prefix>/property-listing` (Partner API, Property creation).
/// Throws bad_request for every error that the body alone reveals, except those that make a single room fail.
domain::property_request parse_property_request(std::string& body);

void add_property_schemas(json::schemas& to);

} // namespace roost::http
