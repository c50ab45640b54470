#pragma once

#include "http/partner/partner_services.hpp"
#include "http/protocol/router.hpp"

namespace roost::http {

/// The partial feed of one platform (Partner API, Endpoints, Partial feed; the booking engine's reads):
/// `GET /listings` and `GET /listings/{externalId}`.
std::vector<route> listing_routes(const partner_services& services, std::size_t platform);

} // namespace roost::http
