#include "http/partner/listing_routes.hpp"

#include "actors/runtime/ask.hpp"
#include "http/partner/listing_answers.hpp"
#include "http/partner/partner_access.hpp"

namespace roost::http {

namespace {

/// The booking engine's list is live: built for whoever asks, and for all who ask meanwhile.
asio::awaitable<response> live_list(const partner_services& services, std::size_t platform,
                                    request& request) {
  try {
    const auto built = co_await actors::ask(services.feeds[platform].actor, actors::read_live_feed{});
    co_return to_response(request, built.snapshot);
  } catch (const actors::ask_error&) {
    throw busy();
  }
}

/// On single-landlord feeds only the unit's UUID names a listing.
const actors::directory_unit* find_unit(const actors::directory& in, const domain::platform& on,
                                        std::size_t platform, std::string_view id) {
  if (on.kind != domain::platform_kind::single_landlord) return in.find(platform, id);
  const auto unit_id = domain::parse_uuid(id);
  const auto* unit = unit_id ? in.find_unit(*unit_id) : nullptr;
  return unit && on.account == unit->owner->id ? unit : nullptr;
}

asio::awaitable<response> single_listing(const partner_services& services, std::size_t platform,
                                         request& request) {
  const auto& on = (*services.platforms)[platform];
  const auto& id = request.parameters.front();
  const auto directory = require_directory(services);
  const auto* unit = find_unit(*directory, on, platform, id);
  if (!unit) throw listing_not_found(on, id);
  actors::listing_answer answer;
  try {
    answer = co_await actors::ask(unit->calendar, actors::read_listing{platform});
  } catch (const actors::ask_error& failed) {
    if (failed.kind() == actors::ask_failure::receiver_down)
      throw listing_not_found(on, id); // removed a moment ago
    throw busy();
  }
  co_return to_response(std::move(answer), on, id);
}

const operation list_operation{
    .id = "listListings",
    .summary = "All units of the feed, in a stable order",
    .answers = {{200, "The units, as they were when the list was built", "Listing", true},
                {304, "Nothing has changed since the If-None-Match of the request", {}}}};
const operation single_operation{.id = "readListing",
                                 .summary = "One unit, read live",
                                 .answers = {{200, "The unit as it is now", "Listing"}}};

} // namespace

std::vector<route> listing_routes(const partner_services& services, std::size_t platform) {
  const auto checks = partner_checks(services, platform);
  const bool live = (*services.platforms)[platform].kind == domain::platform_kind::booking_engine;
  route list{"GET", "/listings", {}, body_policy::none, checks};
  if (live)
    list.handle = [&services, platform](request& request) { return live_list(services, platform, request); };
  else
    list.handle = [&feed = services.feeds[platform]](request& request) {
      return to_response(request, feed.snapshot->get());
    };
  route single{"GET", "/listings/{externalId}", {}, body_policy::none, checks};
  list.documented = &list_operation;
  single.documented = &single_operation;
  single.handle = [&services, platform](request& request) {
    return single_listing(services, platform, request);
  };
  return {std::move(list), std::move(single)};
}

} // namespace roost::http
