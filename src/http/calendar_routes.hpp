#pragma once

#include "http/partner_services.hpp"
#include "http/router.hpp"

namespace roost::http {

/// The calendar export (Partner API, Calendar export): `GET /listings/{listingId}/iCal` and the same with
/// `.ics`. Nobody signs in: the address is the secret, and who reads it is told nothing of the blocks that
/// came from there.
std::vector<route> calendar_routes(const partner_services& services);

} // namespace roost::http
