#pragma once

#include "http/partner/partner_services.hpp"
#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// Where marketplaces A and B tell of paid and cancelled bookings (Partner API, Inbound webhooks); no other
/// platform has such a route.
std::vector<route> webhook_routes(const partner_services& services, std::size_t platform);

} // namespace roost::http
