#pragma once

#include "domain/platform.hpp"
#include "http/partner/partner_services.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/representation.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace roost::http {

/// Serves a built list in the encoding that the client accepts. Throws busy() during the first build.
inline response to_response(const request& req,
                            const std::shared_ptr<const actors::feed_snapshot>& snapshot) {
  if (!snapshot) throw busy();
  return serve(req, snapshot->document);
}

/// Returns the 404 for a unit; its message names the feed's kind of ID (Partner API, Errors).
inline error listing_not_found(const domain::platform& platform, std::string_view id) {
  const bool by_unit = domain::traits_of(platform).is_single_landlord;
  return not_found("Listing not found for " + platform.name + " with " +
                   (by_unit ? "listingId" : "externalId") + " " + std::string{id});
}

/// Returns the listing. Throws not_found with the reason if it is not published.
inline response to_response(actors::listing_response listing, const domain::platform& platform,
                            std::string_view id) {
  switch (listing.publication) {
  case listings::publication::published:
    return json(200, std::move(listing.json));
  case listings::publication::withheld:
    break;
  case listings::publication::no_usable_rent:
    throw not_found("Listing not available");
  case listings::publication::unsupported_region:
    throw not_found("Listing not available: region is not supported");
  }
  throw listing_not_found(platform, id);
}

} // namespace roost::http
