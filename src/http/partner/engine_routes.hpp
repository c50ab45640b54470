#pragma once

#include "http/partner/partner_services.hpp"
#include "http/protocol/router.hpp"

namespace roost::http {

/// `PUT /listing`, `POST /property-listing` and `GET /listings/{externalId}/housemates` under a booking
/// engine's prefix (Partner API, Booking-engine prefix); none under another's.
std::vector<route> engine_routes(const partner_services& services, std::size_t platform);

} // namespace roost::http
