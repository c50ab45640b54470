#include "actors/runtime/ask.hpp"
#include "http/partner/partner_bodies.hpp"
#include "http/partner/partner_document.hpp"
#include "http/partner/partner_routes.hpp"

#include <algorithm>
#include <iterator>

namespace roost::http {

namespace {

/// Checks the unit before the request is queued, on single-landlord prefixes only; on shared prefixes an
/// unknown ID fails in the background.
asio::awaitable<void> require_exported_unit(const platform_api& api, const std::string& external_id) {
  const auto missing = [&] {
    const auto* kind_of_id = domain::parse_uuid(external_id) ? "listingId" : "externalId";
    return not_found("Listing not found for " + api.platform.name + " with " + kind_of_id + " " +
                     external_id);
  };
  const auto directory = api.directory();
  const auto* unit = directory->find_on(api.index, external_id);
  if (!unit) throw missing();
  const auto state = co_await actors::ask(unit->calendar, actors::read_publication{api.index});
  if (state.publication == listings::publication::no_usable_rent) throw not_found("Listing not available");
  if (state.publication != listings::publication::published) throw missing();
}

/// Without a response of the actor, the request may be stored: the partner retries with the same bookingId.
asio::awaitable<response> submit(const platform_api& api, request& req) {
  auto booking = parse_booking_submission(req.body);
  booking.id = api.services.new_id();
  booking.platform = api.platform.name;
  booking.received_at = api.services.now();
  const auto id = booking.id;
  const auto received_at = booking.received_at;
  if (api.traits().is_single_landlord) co_await require_exported_unit(api, booking.external_id);
  actors::submit_booking message{std::move(booking), actors::response_deadline()};
  co_await actors::ask(api.services.intake, std::move(message));
  co_return json(201, booking_receipt(id, received_at));
}

operation submission_operation(std::vector<documented_response> refusals) {
  operation submission{
      .id = "submitBooking",
      .summary = "Requests a booking, which is decided in the background",
      .body_schema = "BookingSubmission",
      .responses = {{201, "The request is on disk", "BookingReceipt"},
                    refusal(400, bad_field, "externalId must be a string, tenant must be a non-empty object"),
                    body_too_large,
                    body_not_json}};
  std::ranges::move(refusals, std::back_inserter(submission.responses));
  return submission;
}

const operation& submission_operation_of(const domain::platform_traits& traits) {
  static const auto unchecked_unit = submission_operation({});
  static const auto checked_unit = submission_operation({unknown_id, unpriced_unit});
  return traits.is_single_landlord ? checked_unit : unchecked_unit;
}

} // namespace

std::vector<route> booking_routes(const platform_api& api) {
  return {
      {"POST", "/bookings", body_policy::json, api.checks(), with(api, submit),
       &submission_operation_of(api.traits())},
  };
}

} // namespace roost::http
