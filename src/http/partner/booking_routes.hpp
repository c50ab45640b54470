#pragma once

#include "http/partner/partner_services.hpp"
#include "http/protocol/router.hpp"

namespace roost::http {

/// Booking submission on one platform (Partner API, Endpoints): `POST /bookings`.
std::vector<route> booking_routes(const partner_services& services, std::size_t platform);

} // namespace roost::http
