#pragma once

#include "http/documents/openapi.hpp"
#include "http/partner/partner_services.hpp"
#include "http/protocol/router.hpp"

namespace roost::http {

/// The calendar export (Partner API, Calendar export): `GET /listings/{listingId}/iCal` and the same with
/// `.ics`. Nobody signs in: the address is the secret, and who reads it is told nothing of the blocks that
/// came from there.
std::vector<route> calendar_routes(const partner_services& services);

/// What their OpenAPI document says of them all; `base_url` is where the server is.
documented_api calendar_api(const std::string& base_url);

} // namespace roost::http
