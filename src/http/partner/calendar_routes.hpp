#pragma once

#include "http/documents/openapi.hpp"
#include "http/partner/partner_services.hpp"
#include "http/protocol/router.hpp"

namespace roost::http {

/// The calendar export (Partner API, Calendar export): `GET /listings/{listingId}/iCal` and the same with
/// `.ics`. They need no credentials, because the URL is the secret. A calendar leaves out the blocks that
/// were imported from its reader.
std::vector<route> calendar_routes(const partner_services& services);

/// Returns the description of the export's OpenAPI document; `base_url` is the server's.
documented_api calendar_api(const std::string& base_url);

} // namespace roost::http
