#pragma once

#include "http/partner/partner_services.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"

#include <memory>
#include <string_view>

namespace roost::http {

/// A built list in the encoding that the client wants; busy() while the first build is under way.
response to_response(const request& req, const std::shared_ptr<const actors::feed_snapshot>& snapshot);

/// 404 by the feed's own kind of ID (Partner API, Errors).
error listing_not_found(const domain::platform& platform, std::string_view id);

/// The listing, or the 404 that tells why it is not published.
response to_response(actors::listing_response answer, const domain::platform& platform, std::string_view id);

} // namespace roost::http
