#include "http/partner/booking_routes.hpp"

#include "actors/runtime/ask.hpp"
#include "domain/json.hpp"
#include "http/partner/booking_submission.hpp"
#include "http/partner/partner_access.hpp"

namespace roost::http {

namespace {

/// Partner API, Booking submission receipt: the id names the queued request, and no route looks it up.
std::string receipt(const domain::uuid& id, domain::timestamp created_at) {
  domain::json_writer json;
  const auto entry = [&](bool with_time) {
    json.begin_array();
    json.begin_object();
    json.field("id", domain::to_string(id));
    if (with_time) json.field("createdAt", created_at);
    json.end_object();
    json.end_array();
  };
  json.begin_object();
  json.key("identifiers");
  entry(false);
  json.key("generatedMaps");
  entry(true);
  json.key("raw");
  entry(true);
  json.end_object();
  return std::string{json.text()};
}

/// Single-landlord prefixes check the unit at once; on shared ones an unknown ID fails in the background.
asio::awaitable<void> require_exported_unit(const partner_services& services, std::size_t platform,
                                            const std::string& external_id) {
  const auto& on = (*services.platforms)[platform];
  const auto missing = [&] {
    const auto* kind_of_id = domain::parse_uuid(external_id) ? "listingId" : "externalId";
    return not_found("Listing not found for " + on.name + " with " + kind_of_id + " " + external_id);
  };
  const auto directory = require_directory(services);
  const auto* unit = directory->find_on(platform, external_id);
  if (!unit) throw missing();
  const auto listing = co_await actors::ask(unit->calendar, actors::read_listing{platform});
  if (listing.publication == domain::publication::no_usable_rent) throw not_found("Listing not available");
  if (listing.publication != domain::publication::published) throw missing();
}

asio::awaitable<response> submit(const partner_services& services, std::size_t platform, request& request) {
  const auto& on = (*services.platforms)[platform];
  auto wanted = parse_booking_submission(request.body);
  wanted.id = services.new_id();
  wanted.platform = on.name;
  wanted.received_at = services.now();
  const auto id = wanted.id;
  const auto received_at = wanted.received_at;
  try {
    if (on.kind == domain::platform_kind::single_landlord)
      co_await require_exported_unit(services, platform, wanted.external_id);
    actors::submit_booking message{std::move(wanted), actors::answer_deadline()};
    co_await actors::ask(services.intake, std::move(message));
  } catch (const actors::ask_error&) {
    throw busy(); // not acknowledged, and perhaps stored: the partner repeats it with the same bookingId
  }
  co_return json(201, receipt(id, received_at));
}

const operation submission_operation{.id = "submitBooking",
                                     .summary = "Asks for a booking, which is decided in the background",
                                     .body_schema = "BookingSubmission",
                                     .answers = {{201, "The request is on disk", "BookingReceipt"},
                                                 {413, "The body is larger than 1 MiB", "Error"},
                                                 {415, "The body is not sent as application/json", "Error"}}};

} // namespace

std::vector<route> booking_routes(const partner_services& services, std::size_t platform) {
  route submission{"POST", "/bookings", {}, body_policy::json, partner_checks(services, platform)};
  submission.handle = [&services, platform](request& request) { return submit(services, platform, request); };
  submission.documented = &submission_operation;
  return {std::move(submission)};
}

} // namespace roost::http
