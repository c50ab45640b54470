#pragma once

#include "http/partner/platform_api.hpp"

namespace roost::http {

/// The partial feed of one platform (Partner API, Endpoints, Partial feed; the booking engine's reads):
/// `GET /listings` and `GET /listings/{externalId}`.
std::vector<route> listing_routes(const platform_api& api);

} // namespace roost::http
