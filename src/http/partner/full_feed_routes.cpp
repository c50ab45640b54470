#include "http/partner/full_feed_routes.hpp"

#include "actors/runtime/ask.hpp"
#include "domain/full_listing.hpp"
#include "http/partner/listing_answers.hpp"
#include "http/partner/partner_access.hpp"

namespace roost::http {

namespace {

asio::awaitable<response> bulk_listings(const partner_services& services, std::size_t platform,
                                        request& request) {
  actors::read_full_list wanted{require_landlord_key(request)};
  try {
    const auto built = co_await actors::ask(services.full_feeds[platform], std::move(wanted));
    co_return to_response(request, built.snapshot);
  } catch (const actors::ask_error&) {
    throw busy();
  }
}

asio::awaitable<response> single_full_listing(const partner_services& services, std::size_t platform,
                                              request& request) {
  const auto& on = (*services.platforms)[platform];
  const auto& id = request.parameters.back();
  actors::read_full_listing wanted{require_landlord_key(request), id};
  actors::listing_answer answer;
  try {
    answer = co_await actors::ask(services.full_feeds[platform], std::move(wanted));
  } catch (const actors::ask_error&) {
    throw busy();
  }
  co_return to_response(std::move(answer), on, id);
}

operation bulk_operation(std::string_view schema, bool list) {
  return {.id = "listFullListings",
          .summary = "Everything that a landlord publishes, in the platform's full shape",
          .answers = {{200, "The listings; none for a key that is nobody's", schema, list},
                      {304, "Nothing has changed since the If-None-Match of the request", {}}}};
}

operation single_full_operation(std::string_view schema) {
  return {.id = "readFullListing",
          .summary = "One listing in the platform's full shape, read live",
          .answers = {{200, "The listing as it is now", schema}}};
}

struct operations {
  operation bulk, single;
};

const operations& operations_of(domain::platform_kind kind) {
  using enum domain::platform_kind;
  static const operations a{bulk_operation("MarketplaceAFullListing", true),
                            single_full_operation("MarketplaceAFullListing")};
  static const operations b{bulk_operation("MarketplaceBFullListing", true),
                            single_full_operation("MarketplaceBFullListing")};
  static const operations c{bulk_operation("MarketplaceCFullListings", false),
                            single_full_operation("MarketplaceCFullListing")};
  static const operations d{bulk_operation("MarketplaceDFullListing", true),
                            single_full_operation("MarketplaceDFullListing")};
  return kind == marketplace_a ? a : kind == marketplace_b ? b : kind == marketplace_c ? c : d;
}

} // namespace

std::vector<route> full_feed_routes(const partner_services& services, std::size_t platform) {
  const auto kind = (*services.platforms)[platform].kind;
  if (!domain::has_full_feed(kind)) return {};
  const auto checks = partner_checks(services, platform);
  route bulk{"GET", "/{landlordKey}/listings/full", {}, body_policy::none, checks};
  bulk.handle = [&services, platform](request& request) {
    return bulk_listings(services, platform, request);
  };
  route single{"GET", "/{landlordKey}/listings/{externalId}/full", {}, body_policy::none, checks};
  single.handle = [&services, platform](request& request) {
    return single_full_listing(services, platform, request);
  };
  bulk.documented = &operations_of(kind).bulk;
  single.documented = &operations_of(kind).single;
  return {std::move(bulk), std::move(single)};
}

} // namespace roost::http
