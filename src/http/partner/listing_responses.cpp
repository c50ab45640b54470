#include "http/partner/listing_responses.hpp"

#include "domain/platform.hpp"
#include "http/protocol/representation.hpp"

namespace roost::http {

response to_response(const request& req, const std::shared_ptr<const actors::feed_snapshot>& snapshot) {
  if (!snapshot) throw busy();
  return serve(req, snapshot->document);
}

error listing_not_found(const domain::platform& platform, std::string_view id) {
  const bool by_unit = domain::traits_of(platform).is_single_landlord;
  return not_found("Listing not found for " + platform.name + " with " +
                   (by_unit ? "listingId" : "externalId") + " " + std::string{id});
}

response to_response(actors::listing_response listing, const domain::platform& platform,
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
