#include "actors/runtime/ask.hpp"
#include "http/partner/partner_api.hpp"
#include "store/bookings/decisions.hpp"

#include <functional>
#include <string>
#include <utility>

/// Cancellations by platforms that may cancel.
namespace roost::http {

namespace {

/// Withdraws what is not decided yet. Returns false if it has been decided meanwhile.
asio::awaitable<bool> withdraw(const platform_api& api, const std::string& reference) {
  std::function<std::size_t(store::session&, const store::lease&)> write =
      [platform = api.platform.name, reference](store::session& db, const store::lease& held) {
        return store::withdraw_requests(db, held, platform, reference);
      };
  try {
    co_return co_await actors::in_store(api.services.writes, "withdraw_requests", std::move(write)) > 0;
  } catch (const actors::ask_error& failed) {
    if (failed.kind() != actors::ask_failure::refused ||
        actors::storage_error_of(failed.reason()) != actors::storage_error::already_decided)
      throw;
  }
  co_return false;
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
                                          by};
  co_await actors::ask(api.services.platform_bookings, std::move(message));
}

/// Whether a booked stay is not over yet, whatever its status still says.
bool is_to_come(const store::submission_outcome& outcome, domain::date today) {
  return outcome.status == store::outcome_status::confirmed && today < outcome.check_out;
}

/// A decision that is made meanwhile lets it start again.
asio::awaitable<response> cancel_booking(const platform_api& api, request& req) {
  constexpr int max_attempts = 3;
  const auto by = caller_of(api.services, api.platform, req);
  const auto reference = domain::normalized_reference(req.parameters.front());
  const auto today = domain::day_of(api.services.now());
  bool is_done = false;
  for (int i = 0; i < max_attempts; ++i) {
    const auto found = co_await find_outcome(api, reference);
    const auto& outcome = *found.outcome;
    const bool is_pending = outcome.status == store::outcome_status::pending;
    if (is_done || (!is_pending && !is_to_come(outcome, today))) co_return outcome_response(outcome);
    if (is_pending) {
      co_await withdraw(api, outcome.reference);
    } else {
      co_await cancel_booked(api, outcome, by);
      is_done = true;
    }
  }
  throw busy();
}

const operation cancel_operation{
    .id = "cancelBooking",
    .summary = "Cancels a booking without refund; its nights are free immediately",
    .tag = beyond_tag,
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
