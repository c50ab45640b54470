#pragma once

#include "domain/property_request.hpp"

#include <string>

namespace roost::http {

/// Reads and checks the body of `POST /<engine-prefix>/property-listing` (Partner API, Property creation).
/// Throws bad_request for whatever the body alone shows to be wrong, except what makes a single
/// room fail.
domain::property_request parse_property_request(std::string& body);

} // namespace roost::http
