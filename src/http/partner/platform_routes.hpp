#pragma once

#include "http/partner/platform_api.hpp"

/// The routes of one platform, by feature (Partner API, Endpoints). Each function returns an empty list if
/// the kind of platform does not have the feature.
namespace roost::http {

/// `GET /listings` and `GET /listings/{externalId}`.
std::vector<route> listing_routes(const platform_api& api);

/// `POST /bookings`.
std::vector<route> booking_routes(const platform_api& api);

/// `GET /{landlordKey}/listings/full` and `GET /{landlordKey}/listings/{externalId}/full`, on platforms with
/// full feeds.
std::vector<route> full_feed_routes(const platform_api& api);

/// `PUT /listing`, `POST /property-listing` and `GET /listings/{externalId}/housemates`, on the booking
/// engine.
std::vector<route> engine_routes(const platform_api& api);

/// `POST /webhook` or `POST /{landlordKey}/webhook`, on platforms that send events (Partner API, Inbound
/// webhooks).
std::vector<route> webhook_routes(const platform_api& api);

} // namespace roost::http
