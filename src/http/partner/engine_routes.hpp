#pragma once

#include "http/partner/platform_api.hpp"

namespace roost::http {

/// `PUT /listing`, `POST /property-listing` and `GET /listings/{externalId}/housemates` under a booking
/// engine's prefix (Partner API, Booking-engine prefix); none under another's.
std::vector<route> engine_routes(const platform_api& api);

} // namespace roost::http
