#pragma once

#include "http/partner/platform_api.hpp"

namespace roost::http {

/// `GET /{landlordKey}/listings/full` and `GET /{landlordKey}/listings/{externalId}/full` (Partner API, Full
/// feed); none where the platform has no full feed.
std::vector<route> full_feed_routes(const platform_api& api);

} // namespace roost::http
