#pragma once

#include "http/partner/platform_api.hpp"

namespace roost::http {

/// Booking submission on one platform (Partner API, Endpoints): `POST /bookings`.
std::vector<route> booking_routes(const platform_api& api);

} // namespace roost::http
