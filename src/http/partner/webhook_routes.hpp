#pragma once

#include "http/partner/platform_api.hpp"

namespace roost::http {

/// Where marketplaces A and B tell of paid and cancelled bookings (Partner API, Inbound webhooks); no other
/// platform has such a route.
std::vector<route> webhook_routes(const platform_api& api);

} // namespace roost::http
