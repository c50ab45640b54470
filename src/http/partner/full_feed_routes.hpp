#pragma once

#include "http/partner/partner_services.hpp"
#include "http/protocol/router.hpp"

namespace roost::http {

/// `GET /{landlordKey}/listings/full` and `GET /{landlordKey}/listings/{externalId}/full` (Partner API, Full
/// feed); none where the platform has no full feed.
std::vector<route> full_feed_routes(const partner_services& services, std::size_t platform);

} // namespace roost::http
