#include "http/partner/partner_api.hpp"
#include "http/protocol/entity_tags.hpp"

namespace roost::http {

namespace {

/// Serves the most recently built list. Throws busy() while the only list is one from before this server
/// became the writer, which may lack bookings that the earlier writer's list has shown.
response built_list(const platform_api& api, request& req) {
  const auto built = api.feed().snapshot->get();
  if (built && built->position < api.services.lease->needed()) throw busy();
  return to_response(req, built);
}

/// Serves the booking engine's live list; requests that arrive during a build share its result.
asio::awaitable<response> live_list(const platform_api& api, request& req) {
  const auto built = co_await actors::ask(api.feed().actor, actors::read_live_feed{});
  co_return to_response(req, built.snapshot);
}

/// Allows private caches to keep the listing, and requires revalidation before each use.
response live_response(const request& req, actors::listing_response listing) {
  auto tag = entity_tag_of(listing.digest);
  auto result = not_modified(req, tag) ? empty(304) : json(200, std::move(listing.json));
  result.fields = {{"ETag", std::move(tag)}, {"Cache-Control", "private, no-cache"}};
  return result;
}

asio::awaitable<response> single_listing(const platform_api& api, request& req) {
  const auto& id = req.parameters.front();
  const auto directory = api.directory();
  const auto* unit = find_listed_unit(api, *directory, id);
  if (!unit) throw listing_not_found(api.platform, id);
  actors::read_listing message{api.index};
  auto listing = co_await ask_calendar<actors::listing_response>(*unit, std::move(message));
  if (!listing) throw listing_not_found(api.platform, id);
  require_published(listing->publication, api.platform, id);
  co_return live_response(req, *std::move(listing));
}

const operation list_operation{
    .id = "listListings",
    .summary = "All units of the feed, in a stable order",
    .responses = {{200, "The units, as they were when the list was built", "Listing", true}, unchanged}};

operation single_operation(std::vector<documented_response> refusals) {
  operation single{.id = "readListing", .summary = "One unit, read live"};
  single.responses = std::move(refusals);
  single.responses.insert(single.responses.begin(), {{200, "The unit as it is now", "Listing"}, unchanged});
  return single;
}

// Full listings

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

const actors::directory_unit* find_listed_unit(const platform_api& api, const actors::directory& in,
                                               std::string_view id) {
  if (!api.traits().is_single_landlord) return in.find(api.index, id);
  const auto unit_id = domain::parse_uuid(id);
  const auto* unit = unit_id ? in.find_unit(*unit_id) : nullptr;
  return unit && api.platform.account == unit->owner->id ? unit : nullptr;
}

std::vector<route> listing_routes(const platform_api& api) {
  using list_handler = std::variant<handler, immediate_handler>;
  const auto list = api.traits().has_live_list ? list_handler{handler{with(api, live_list)}}
                                               : list_handler{immediate_handler{with(api, built_list)}};
  return {
      {"GET", "/listings", body_policy::none, api.checks(), list, &list_operation},
      {"GET", "/listings/{externalId}", body_policy::none, api.checks(), with(api, single_listing),
       &live_operation_of<single_operation>(api.traits())},
  };
}

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
