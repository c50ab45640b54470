#include "actors/runtime/ask.hpp"
#include "http/partner/partner_api.hpp"

#include <optional>
#include <string>
#include <utility>

/// Cancellations by platforms that may cancel.
namespace roost::http {

namespace {

std::optional<store::booked_unit> unit_of(const platform_api& api, const actors::directory& in,
                                          const domain::booking_request& request) {
  const auto* unit =
      request.unit_id ? in.find_unit(*request.unit_id) : in.find_on(api.index, request.external_id);
  if (!unit) return std::nullopt;
  return store::booked_unit{unit->owner->id, unit->id()};
}

store::withdrawal withdrawal_of(const platform_api& api, const std::string& reference,
                                const std::string& by) {
  store::withdrawal withdrawal{api.platform.name, reference, {}, {}};
  withdrawal.unit_of = [api, directory = api.directory()](const domain::booking_request& request) {
    return unit_of(api, *directory, request);
  };
  withdrawal.audit = [api, reference, by](const domain::uuid& id,
                                          const std::optional<domain::uuid>& account) {
    return store::audit_entry{api.services.new_id(),
                              api.services.now(),
                              by,
                              "booking withdrawal",
                              domain::to_string(id),
                              api.platform.name + " " + reference,
                              account};
  };
  return withdrawal;
}

asio::awaitable<void> cancel_booked(const platform_api& api, const store::submission_outcome& outcome,
                                    const std::string& by) {
  const auto directory = api.directory();
  const auto* unit = directory->find_unit(outcome.booked->unit_id);
  if (!unit) throw busy(); // memory has not followed the store yet
  actors::cancel_platform_booking message{{api.platform.name, outcome.reference, outcome.booked->account_id},
                                          unit->id(),
                                          unit->calendar,
                                          actors::response_deadline(),
                                          unit->changes,
                                          by,
                                          "booking cancellation"};
  co_await actors::ask(api.services.platform_bookings, std::move(message));
}

/// The stored status may lag behind the date.
bool can_be_cancelled(const store::submission_outcome& outcome, domain::date today) {
  return outcome.status == store::outcome_status::confirmed && today < outcome.check_out;
}

/// Withdraws every pending request with the reference, also if the outcome is that of another one. Retries if
/// a request is decided or a booking is moved concurrently.
asio::awaitable<response> cancel_booking(const platform_api& api, request& req) {
  constexpr int max_attempts = 5;
  const auto by = caller_of(api.services, api.platform, req);
  const auto today = domain::day_of(api.services.now());
  const auto requested = domain::normalized_reference(req.parameters.front());
  const auto submitted = co_await find_outcome(api, requested);
  const auto reference = submitted.outcome->reference; // as it is stored
  bool may_be_pending = true;
  for (int i = 0; i < max_attempts; ++i) {
    if (may_be_pending) {
      auto withdrawal = withdrawal_of(api, reference, by);
      const auto freed = co_await actors::withdraw_requests(api.services.decisions, std::move(withdrawal));
      if (freed) co_await await_shown(api, *freed);
    }
    const auto current = co_await find_outcome(api, reference);
    const auto& outcome = *current.outcome;
    may_be_pending = outcome.status == store::outcome_status::pending;
    if (may_be_pending) continue;
    if (!can_be_cancelled(outcome, today)) co_return outcome_response(outcome);
    co_await cancel_booked(api, outcome, by);
  }
  throw busy();
}

const operation cancel_operation{
    .id = "cancelBooking",
    .summary = "Cancels a booking without refund; its nights are free immediately",
    .tag = extension_tag,
    .responses = {
        {200, "The outcome: cancelled, or unchanged if it was refused or the stay is over", "BookingOutcome"},
        unknown_booking}};

} // namespace

std::vector<route> cancellation_routes(const platform_api& api) {
  if (!api.platform.has(domain::platform_right::cancel)) return {};
  return {{"DELETE", "/bookings/{bookingId}", body_policy::none, api.checks(), with(api, cancel_booking),
           &cancel_operation}};
}

} // namespace roost::http
