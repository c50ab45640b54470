#include "service/support/json_text.hpp"
#include "service/support/manual_bookings.hpp"
#include "simulation/clients/holder.hpp"
#include "store/stays/holds.hpp"

/// Compares what a client that holds nights knows with responses, and with the store at the end of a history.
namespace roost::testing {

using namespace std::chrono_literals;

// Responses

bool holder::may_be_expired(const known_hold& known) const {
  const auto elapsed = now() - known.first_sent + history_.clock_error() - known.error;
  return elapsed >= known.length;
}

bool holder::takes_nights(const known_hold& known) const {
  if (!known.is_acknowledged()) return false;
  const auto* const claim = known.claim;
  if (claim && (claim->may_be_cancelled || !claim->has_payment || claim->decision == "refused")) return false;
  if (claim && (claim->has_claimed || claim->is_confirmed())) return true;
  return !known.may_be_released && !may_be_expired(known);
}

void holder::check_receipt(known_hold& known, const simulated_response& response) {
  if (response.status != 200 && response.status != 201) fail("got an unexpected response: " + response.body);
  if (known.is_acknowledged()) {
    if (response.body != known.receipt || response.status != 200)
      fail("the repeat of the hold " + known.id + " got another receipt: " + response.body);
    return;
  }
  if (known.rival && takes_nights(*known.rival))
    fail("the hold " + known.id + " has the nights that the hold " + known.rival->id + " takes");
  if (json_text_at(response.body, "/holdId") != known.id ||
      json_text_at(response.body, "/checkInDate") != domain::to_string(known.dates.check_in) ||
      json_text_at(response.body, "/checkOutDate") != domain::to_string(known.dates.check_out))
    fail("got a wrong receipt: " + response.body);
  known.receipt = response.body;
  known.expires_at = json_text_at(response.body, "/expiresAt");
}

void holder::check_refusal(const simulated_response& response) const {
  if (response.body.find("nights of the stay are taken") == std::string::npos ||
      json_at(response.body, "/takenNights").size() <= std::string("[]").size())
    fail("a hold is refused for another reason than taken nights: " + response.body);
}

/// Checks how often a read of the unit shows the nights of the hold.
void holder::check_rows(const known_hold& known, std::size_t rows) const {
  if (rows > 1) fail("the unit shows the nights of the hold " + known.id + " twice");
  if (rows == 0 && takes_nights(known))
    fail("the unit shows the nights of the hold " + known.id + " as free");
  const auto* const claim = known.claim;
  const bool is_free = claim ? claim->decision == "cancelled" : known.is_released;
  if (rows != 0 && is_free && !known.may_share_dates)
    fail("the unit still shows the nights of the hold " + known.id + ", which has ended");
}

void holder::learn(holding_booking& booking, const std::string& outcome) {
  const auto& reference = booking.event.reference;
  const auto status = json_text_at(outcome, "/status");
  if (booking.is_decided() && status == "pending") fail("the decision about " + reference + " is lost");
  if (status == "pending") return;
  if (booking.is_decided() && status != booking.decision &&
      !(booking.is_confirmed() && status == "cancelled" && booking.may_be_cancelled))
    fail(reference + " is " + status + " after it was " + booking.decision);
  const bool is_first = !booking.is_decided();
  booking.decision = status;
  booking.reason = json_text_at(outcome, "/refusal/reason");
  add_to_story("learns that " + reference + " is " + status + ' ' + booking.reason);
  if (status == "cancelled" && !booking.may_be_cancelled) fail(reference + " is cancelled: " + outcome);
  if (status == "refused" &&
      (booking.has_payment ? booking.reason != "nights_taken" && booking.reason != "nights_held"
                           : booking.reason != "no_payment_value"))
    fail(reference + " was refused because of " + booking.reason);
  if (!booking.has_payment && booking.is_confirmed()) fail(reference + " has no payment, but was booked");
  if (booking.has_claimed && booking.has_payment && status == "refused")
    fail(reference + " was refused although it has claimed the hold " + booking.hold->id + ": " + outcome);
  if (is_first && booking.is_rival) check_rival(booking);
}

/// The booking was sent after the acknowledgement of the hold.
void holder::check_rival(const holding_booking& booking) const {
  const auto& hold = *booking.hold;
  if (!takes_nights(hold)) return;
  if (booking.is_confirmed())
    fail(booking.event.reference + " has nights that the hold " + hold.id + " takes");
  if (booking.decision == "refused" && !hold.claim && booking.reason != "nights_held")
    fail(booking.event.reference + " was refused because of " + booking.reason + ", but only the hold " +
         hold.id + " takes its nights");
}

// The store

std::vector<std::string> holder::differences(store::session& db) const {
  std::vector<std::string> errors;
  for (const auto& each : holds_) compare_hold(db, each, errors);
  return errors;
}

void holder::compare_hold(store::session& db, const known_hold& known,
                          std::vector<std::string>& errors) const {
  const auto add = [&](const std::string& text) {
    errors.push_back(name() + ": the hold " + known.id + ' ' + text);
  };
  const auto stored = store::find_hold(db, "marketplace-c", known.id);
  if (known.is_rejected && stored) add("is stored although it was refused");
  if (known.is_rejected) return;
  if (!stored) return add("is lost");
  if (domain::to_string(stored->hold.expires_at) != known.expires_at) add("expires at another time");
  if (!stored->ended_at) add("has not ended");
  const auto* const claim = known.claim;
  if (!claim && stored->request_id) add("was claimed by a request that had not its id");
  if (claim && claim->has_claimed &&
      (!stored->request_id ||
       domain::to_string(*stored->request_id) != json_text_at(claim->receipt, "/identifiers/0/id")))
    add("was not claimed by " + claim->event.reference);
}

} // namespace roost::testing
