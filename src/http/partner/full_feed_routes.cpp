#include "actors/runtime/ask.hpp"
#include "http/partner/listing_responses.hpp"
#include "http/partner/partner_access.hpp"
#include "http/partner/partner_document.hpp"
#include "http/partner/partner_routes.hpp"
#include "listings/full_listing.hpp"

namespace roost::http {

namespace {

asio::awaitable<response> bulk_listings(const platform_api& api, request& req) {
  actors::read_full_list message{require_landlord_key(req)};
  const auto built = co_await actors::ask(api.full_feed(), std::move(message));
  co_return to_response(req, built.snapshot);
}

asio::awaitable<response> single_full_listing(const platform_api& api, request& req) {
  const auto& id = req.parameters.back();
  actors::read_full_listing message{require_landlord_key(req), id};
  auto listing = co_await actors::ask(api.full_feed(), std::move(message));
  co_return to_response(std::move(listing), api.platform, id);
}

const documented_response no_landlord_key{.status = 400,
                                          .description = "The landlordKey is empty",
                                          .schema = "Error",
                                          .message = empty_landlord_key};
constexpr documented_response no_such_unit{.status = 404,
                                           .description = "The landlord has no unit with this ID in the feed",
                                           .schema = "Error",
                                           .message = unknown_id.message};

operation bulk_operation(std::string_view schema, bool list) {
  return {.id = "listFullListings",
          .summary = "All published listings of a landlord, in the platform's full format",
          .responses = {{200, "The listings; empty for an unknown key", schema, list},
                        {304, "Nothing has changed since the If-None-Match of the request", {}},
                        no_landlord_key}};
}

operation single_full_operation(std::string_view schema) {
  return {
      .id = "readFullListing",
      .summary = "One listing in the platform's full format, read live",
      .responses = {{200, "The listing as it is now", schema}, no_landlord_key, no_such_unit, unpriced_unit}};
}

operation with_regions(operation single) {
  single.responses.push_back(unit_elsewhere);
  return single;
}

struct operations {
  operation bulk, single;
};

const operations& operations_of(domain::marketplace market) {
  static const operations a{bulk_operation("MarketplaceAFullListing", true),
                            single_full_operation("MarketplaceAFullListing")};
  static const operations b{bulk_operation("MarketplaceBFullListing", true),
                            single_full_operation("MarketplaceBFullListing")};
  static const operations c{bulk_operation("MarketplaceCFullListings", false),
                            single_full_operation("MarketplaceCFullListing")};
  static const operations d{bulk_operation("MarketplaceDFullListing", true),
                            with_regions(single_full_operation("MarketplaceDFullListing"))};
  return market == domain::marketplace::a   ? a
         : market == domain::marketplace::b ? b
         : market == domain::marketplace::c ? c
                                            : d;
}

} // namespace

std::vector<route> full_feed_routes(const platform_api& api) {
  if (api.traits().full_feed == domain::marketplace::none) return {};
  const auto& documented = operations_of(api.traits().full_feed);
  return {
      {"GET", "/{landlordKey}/listings/full", body_policy::none, api.checks(), with(api, bulk_listings),
       &documented.bulk},
      {"GET", "/{landlordKey}/listings/{externalId}/full", body_policy::none, api.checks(),
       with(api, single_full_listing), &documented.single},
  };
}

} // namespace roost::http
