#pragma once

#include "http/partner/partner_services.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"

#include <memory>
#include <string_view>

namespace roost::http {

/// Serves a built list in the encoding that the client accepts. Throws busy() during the first build.
response to_response(const request& req, const std::shared_ptr<const actors::feed_snapshot>& snapshot);

/// Returns the 404 for a unit; its message names the feed's kind of ID (Partner API, Errors).
error listing_not_found(const domain::platform& platform, std::string_view id);

/// Returns the listing. Throws not_found with the reason if it is not published.
response to_response(actors::listing_response listing, const domain::platform& platform, std::string_view id);

} // namespace roost::http
