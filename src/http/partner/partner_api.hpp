#pragma once

#include "actors/bookings/booking_intake.hpp"
#include "actors/bookings/hold_keeper.hpp"
#include "actors/bookings/outcome_watch.hpp"
#include "actors/bookings/platform_bookings.hpp"
#include "actors/engine/booking_engine.hpp"
#include "actors/feeds/feed.hpp"
#include "actors/feeds/full_feed.hpp"
#include "actors/inventory/directory.hpp"
#include "actors/runtime/ask.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "domain/platform.hpp"
#include "domain/short_term_host.hpp"
#include "http/access/access.hpp"
#include "http/documents/openapi.hpp"
#include "http/protocol/entity_tags.hpp"
#include "http/protocol/representation.hpp"
#include "http/protocol/router.hpp"
#include "security/live_keys.hpp"
#include "security/token.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roost::http {

/// The services of the partner API's routes. The composition root creates them once; they outlive the server.
struct partner_services {
  actors::platform_list platforms;
  std::vector<domain::short_term_host> short_term_hosts; ///< the calendars' readers
  const actors::published<actors::directory>* directory = nullptr;
  std::span<const actors::platform_feed> feeds;  ///< by platform
  std::span<const actors::full_feed> full_feeds; ///< by platform; null where the platform has none
  actors::booking_intake intake;
  actors::booking_engine booking_engine;
  actors::platform_bookings platform_bookings;
  actors::outcome_watch outcomes;
  actors::hold_keeper holds;
  /// Returns the digest by which repeats of a submission are recognized.
  std::function<std::string(const domain::booking_request&)> digest_of;
  actors::storage_lane reads;    ///< the lane for reads of the store
  actors::leased_lane decisions; ///< the lane of the queue's decisions, one after the other
  std::shared_ptr<const actors::held_lease> lease;
  const security::token_verifier* tokens = nullptr;
  const actors::published<security::live_keys>* live_keys = nullptr; ///< account and webhook keys
  actors::wall_clock now;
  std::function<domain::uuid()> new_id;
  std::string base_url; ///< the server's public URL, without a trailing slash
};

// Access

/// Returns the directory. Throws busy() while this server does not serve (require_serving).
std::shared_ptr<const actors::directory> require_directory(const partner_services& services);

/// Returns the checks of every route of a platform's prefix, in this order: this server serves (503 busy),
/// the feed is configured (503), the caller is authenticated (401; Partner API, Authentication), and, on the
/// booking engine, the account of the key has not moved to the native engine (410).
entry_rule partner_checks(const partner_services& services, const domain::platform& platform);

/// Returns the credential that authenticated the request, for the audit log: `token ID`, `webhook key ID` or
/// `account key ID`.
std::string caller_of(const partner_services& services, const domain::platform& platform, request& req);

/// Returns the check of property creation (Partner API, Authentication, rule 4): it refuses a missing,
/// unknown or repeated account key.
check account_key_check(const partner_services& services);

/// Returns the account of the request's key. Requires that account_key_check() has passed.
domain::uuid account_of(const request& req);

inline constexpr const char* empty_landlord_key = "landlordKey must be a non-empty value";
/// The 503 of a single-landlord feed without its account; a retry does not help.
inline constexpr const char* not_configured = "This integration is not configured yet. Contact support.";
/// The 410 for the key of an account that has left the booking engine.
inline constexpr const char* account_has_moved = "Gone: this account is served by the native booking engine";

/// Returns the path's first parameter, the landlord key. Throws bad_request if it is blank.
const std::string& require_landlord_key(const request& req);

/// The context of one platform's route handlers, cheap to copy. The services must outlive it.
struct platform_api {
  platform_api(const partner_services& all, std::size_t platform_index)
      : services(all), index(platform_index), platform((*all.platforms)[platform_index]) {}

  const domain::platform_traits& traits() const { return domain::traits_of(platform); }
  std::shared_ptr<const actors::directory> directory() const { return require_directory(services); }
  const actors::platform_feed& feed() const { return services.feeds[index]; }
  const actors::full_feed& full_feed() const { return services.full_feeds[index]; }
  entry_rule checks() const { return partner_checks(services, platform); }

  /// Returns checks() with one more check at the end.
  entry_rule checks_and(check more, std::string_view needs) const {
    auto all = checks();
    all.checks.push_back(std::move(more));
    all.needs.append(" and ").append(needs);
    return all;
  }

  const partner_services& services;
  std::size_t index; ///< of the platform, as the directory and the feeds count them
  const domain::platform& platform;
};

// Responses of several routes

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

/// Throws not_found with the reason if a unit is not published.
inline void require_published(listings::publication publication, const domain::platform& platform,
                              std::string_view id) {
  switch (publication) {
  case listings::publication::published:
    return;
  case listings::publication::withheld:
    break;
  case listings::publication::no_usable_rent:
    throw not_found("Listing not available");
  case listings::publication::unsupported_region:
    throw not_found("Listing not available: region is not supported");
  }
  throw listing_not_found(platform, id);
}

/// Returns the 404 for a booking.
inline error booking_not_found(const domain::platform& platform, const std::string& reference) {
  return not_found("Booking not found for " + platform.name + " with bookingId " + reference);
}

/// Returns the outcome of a booking of the platform, also if it was stored in an earlier spelling of its
/// reference. Throws not_found.
asio::awaitable<actors::positioned_outcome> find_outcome(const platform_api& api,
                                                         const std::string& reference);

response outcome_response(const store::submission_outcome& outcome);

/// Returns the spellings with which a booking's reference may be stored.
std::vector<std::string> stored_spellings(const platform_api& api, const std::string& reference);

/// Returns the listing. Throws not_found with the reason if it is not published.
inline response to_response(actors::listing_response listing, const domain::platform& platform,
                            std::string_view id) {
  require_published(listing.publication, platform, id);
  return json(200, std::move(listing.json));
}

/// Asks a unit's calendar. Returns nullopt if the unit was just removed.
template <typename Response, typename Request>
asio::awaitable<std::optional<Response>> ask_calendar(const actors::directory_unit& unit, Request message) {
  try {
    co_return co_await actors::ask(unit.calendar, std::move(message));
  } catch (const actors::ask_error& failed) {
    if (failed.kind() != actors::ask_failure::receiver_down) throw;
  }
  co_return std::nullopt;
}

/// Throws precondition_failed unless the condition names the state of the listing that the single read shows.
asio::awaitable<void> require_unchanged(const platform_api& api, const if_match& condition,
                                        const std::string& external_id);

/// Returns once reads show the change at this position.
asio::awaitable<void> await_shown(const platform_api& api, const store::stream_point& point);

/// Finds a unit by its linked ID; on single-landlord feeds, only by its UUID. Returns null without one.
const actors::directory_unit* find_listed_unit(const platform_api& api, const actors::directory& in,
                                               std::string_view id);

// The routes of one platform, by feature (Partner API, Endpoints). Each function returns an empty list if the
// kind of platform does not have the feature.

/// `GET /listings` and `GET /listings/{externalId}`.
std::vector<route> listing_routes(const platform_api& api);

/// `GET /listings/{externalId}/quote`.
std::vector<route> listing_quote_routes(const platform_api& api);

/// `POST /bookings`, and `PUT /bookings/{bookingId}`, which may be repeated.
std::vector<route> booking_routes(const platform_api& api);

/// `GET /bookings` and `GET /bookings/{bookingId}`: outcomes of bookings.
std::vector<route> outcome_routes(const platform_api& api);

/// `DELETE /bookings/{bookingId}`, if the platform may cancel.
std::vector<route> cancellation_routes(const platform_api& api);

/// `PUT` and `GET /bookings/{bookingId}/changes/{changeId}`, if the platform may change bookings.
std::vector<route> change_routes(const platform_api& api);

/// `PUT` and `DELETE /holds/{holdId}`, if the platform may hold nights.
std::vector<route> hold_routes(const platform_api& api);

/// `GET /{landlordKey}/listings/full` and `GET /{landlordKey}/listings/{externalId}/full`.
std::vector<route> full_feed_routes(const platform_api& api);

/// The booking engine's `PUT /listing`, `POST /property-listing` and `GET /listings/{externalId}/housemates`.
std::vector<route> engine_routes(const platform_api& api);

/// `POST /webhook` or `POST /{landlordKey}/webhook` (Partner API, Inbound webhooks).
std::vector<route> webhook_routes(const platform_api& api);

/// The calendar export (Partner API, Calendar export): `GET /listings/{listingId}/iCal` and the same with
/// `.ics`. They need no credentials: the URL is secret. They omit the blocks that came from their reader.
std::vector<route> calendar_routes(const partner_services& services);

// OpenAPI documents

/// The tags of the routes that return outcomes of bookings, and of those that do more than submit.
inline constexpr std::string_view certainty_tag = "Certainty", extension_tag = "Beyond submitting";

/// The description of a 400 that names fields.
inline constexpr std::string_view bad_field = "A field is missing, unknown or invalid";

/// Returns the documentation of an error with an example message; empty: the most frequent one.
constexpr documented_response refusal(unsigned status, std::string_view description,
                                      std::string_view message = {}) {
  return {.status = status, .description = description, .schema = error_schema, .message = message};
}

inline constexpr auto unknown_id = refusal(404, "No unit of the feed has this ID",
                                           "Listing not found for {platform} with externalId unknown");
inline constexpr auto unknown_uuid = refusal(404, "No unit of the feed has this UUID",
                                             "Listing not found for {platform} with listingId unknown");
inline constexpr auto unpriced_unit = refusal(404, "The unit has no usable rent", "Listing not available");
inline constexpr auto unit_elsewhere = refusal(404, "The unit is not in a city that the platform accepts",
                                               "Listing not available: region is not supported");
inline constexpr auto unknown_booking =
    refusal(404, "Your platform has submitted nothing with this bookingId",
            "Booking not found for {platform} with bookingId unknown");
inline constexpr auto body_too_large = refusal(413, "The body is larger than 1 MiB");
inline constexpr auto body_not_json = refusal(415, "The body is not sent as application/json");
inline constexpr documented_response unchanged{
    304, "Nothing has changed since the If-None-Match of the request", {}};

/// Returns the documentation of an operation on a listing that is read live, which `Make` builds from its
/// refusals.
template <operation (*Make)(std::vector<documented_response>)>
const operation& live_operation_of(const domain::platform_traits& traits) {
  static const auto by_id = Make({unknown_id, unpriced_unit});
  static const auto by_uuid = Make({unknown_uuid, unpriced_unit});
  static const auto in_some_regions = Make({unknown_id, unpriced_unit, unit_elsewhere});
  if (traits.is_single_landlord) return by_uuid;
  return traits.accepts_some_regions ? in_some_regions : by_id;
}

/// Describes a platform's OpenAPI document, without a webhook that has its own. `base_url` is the server's.
documented_api partner_document(const domain::platform& platform, const std::string& base_url);

/// Whether a platform's webhook has its own document: in one document, a path that begins with the landlord's
/// key and `/listings/{externalId}` are ambiguous. Besides, a different program sends the events.
bool has_webhook_document(const domain::platform& platform);

/// Returns the description of that document.
documented_api webhook_document(const domain::platform& platform, const std::string& base_url);

/// Returns the URL of the calendar that is exported under an address.
std::string calendar_url(const std::string& base_url, const domain::uuid& address);

/// Returns the description of the calendar export's document.
documented_api calendar_api(const std::string& base_url);

/// Returns the parameters' values in the demo portfolio; empty for a prefix that it does not have.
std::map<std::string, std::string> demo_examples(std::string_view prefix);

} // namespace roost::http
