#include "actors/runtime/ask.hpp"
#include "http/partner/partner_access.hpp"
#include "http/partner/partner_document.hpp"
#include "http/partner/partner_routes.hpp"
#include "listings/listing.hpp"

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

/// The documentation of a format's routes. `list` is the schema of a bulk response that is not an array.
struct operations {
  explicit operations(std::string_view listing, std::string_view list = {}, bool accepts_some_regions = false)
      : bulk{.id = "listFullListings",
             .summary = "All published listings of a landlord, in the platform's full format",
             .responses = {{200, "The listings; empty for an unknown key", list.empty() ? listing : list,
                            list.empty()},
                           unchanged,
                           no_landlord_key}},
        single{.id = "readFullListing",
               .summary = "One listing in the platform's full format, read live",
               .responses = {
                   {200, "The listing as it is now", listing},
                   no_landlord_key,
                   refusal(404, "The landlord has no unit with this ID in the feed", unknown_id.message),
                   unpriced_unit}} {
    if (accepts_some_regions) single.responses.push_back(unit_elsewhere);
  }

  static constexpr auto no_landlord_key = refusal(400, "The landlordKey is empty", empty_landlord_key);

  operation bulk, single;
};

const operations& operations_of(domain::marketplace market) {
  static const operations a{"MarketplaceAFullListing"}, b{"MarketplaceBFullListing"},
      c{"MarketplaceCFullListing", "MarketplaceCFullListings"}, d{"MarketplaceDFullListing", {}, true};
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
