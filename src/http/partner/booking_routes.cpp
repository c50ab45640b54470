#include "actors/runtime/ask.hpp"
#include "http/partner/booking_submission.hpp"
#include "http/partner/partner_document.hpp"
#include "http/partner/platform_routes.hpp"

namespace roost::http {

namespace {

/// Single-landlord prefixes check the unit at once; on shared ones an unknown ID fails in the background.
asio::awaitable<void> require_exported_unit(const platform_api& api, const std::string& external_id) {
  const auto missing = [&] {
    const auto* kind_of_id = domain::parse_uuid(external_id) ? "listingId" : "externalId";
    return not_found("Listing not found for " + api.platform.name + " with " + kind_of_id + " " +
                     external_id);
  };
  const auto directory = api.directory();
  const auto* unit = directory->find_on(api.index, external_id);
  if (!unit) throw missing();
  const auto found = co_await actors::ask(unit->calendar, actors::read_publication{api.index});
  if (found.publication == listings::publication::no_usable_rent) throw not_found("Listing not available");
  if (found.publication != listings::publication::published) throw missing();
}

/// Without an answer it is not acknowledged, and perhaps stored: the partner repeats it with the same
/// bookingId.
asio::awaitable<response> submit(const platform_api& api, request& req) {
  auto wanted = parse_booking_submission(req.body);
  wanted.id = api.services.new_id();
  wanted.platform = api.platform.name;
  wanted.received_at = api.services.now();
  const auto id = wanted.id;
  const auto received_at = wanted.received_at;
  if (api.traits().is_single_landlord) co_await require_exported_unit(api, wanted.external_id);
  actors::submit_booking message{std::move(wanted), actors::answer_deadline()};
  co_await actors::ask(api.services.intake, std::move(message));
  co_return json(201, booking_receipt(id, received_at));
}

operation submission_operation(std::vector<documented_response> refusals) {
  operation told{.id = "submitBooking",
                 .summary = "Asks for a booking, which is decided in the background",
                 .body_schema = "BookingSubmission",
                 .responses = {{201, "The request is on disk", "BookingReceipt"},
                               {.status = 400,
                                .description = bad_field,
                                .schema = "Error",
                                .message = "externalId must be a string, tenant must be a non-empty object"},
                               {413, "The body is larger than 1 MiB", "Error"},
                               {415, "The body is not sent as application/json", "Error"}}};
  told.responses.insert(told.responses.end(), refusals.begin(), refusals.end());
  return told;
}

const operation& submission_operation_of(const domain::platform_traits& traits) {
  static const auto decided_later = submission_operation({});
  static const auto of_a_checked_unit = submission_operation({unknown_id, unpriced_unit});
  return traits.is_single_landlord ? of_a_checked_unit : decided_later;
}

} // namespace

std::vector<route> booking_routes(const platform_api& api) {
  return {
      {"POST", "/bookings", body_policy::json, api.checks(), with(api, submit),
       &submission_operation_of(api.traits())},
  };
}

} // namespace roost::http
