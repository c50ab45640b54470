#include "service/support/json_text.hpp"
#include "service/support/manual_bookings.hpp"
#include "service/support/mixed_requests.hpp"
#include "service/support/portfolio.hpp"
#include "simulation/clients/stay_changer.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/bookings/stay_changes.hpp"

#include <algorithm>

/// Compares what a client that changes stays knows with responses, and with the store at the end of a
/// history.
namespace roost::testing {

namespace {

stay_dates dates_in(const std::string& document) {
  const auto day = [&](const char* pointer) {
    return domain::parse_date(json_text_at(document, pointer)).value_or(domain::date{});
  };
  return {day("/checkInDate"), day("/checkOutDate")};
}

std::string status_of(const store::submission_outcome& outcome) {
  return std::string(store::outcome_status_names.at(static_cast<std::size_t>(outcome.status)));
}

std::string status_of(const store::stay_change_record& record) {
  return std::string(store::stay_change_state_names.at(static_cast<std::size_t>(record.state)));
}

} // namespace

// Responses

void stay_changer::learn(changed_stay& stay, const std::string& outcome) {
  const auto& reference = stay.event.reference;
  const auto status = json_text_at(outcome, "/status");
  const auto dates = dates_in(outcome);
  const bool is_decided = status != "pending";
  if (stay.is_decided() && !is_decided) fail("the decision about " + reference + " is lost");
  if (stay.is_over() && status != stay.decision)
    fail(reference + " is " + status + " after it was " + stay.decision);
  if (stay.last_dates && dates != *stay.last_dates)
    fail(reference + " was " + stay.decision + ", but has other dates since: " + outcome);
  if ((!is_decided || status == "refused") && dates != stay.booked())
    fail(reference + " is not booked, but has other dates: " + outcome);
  if (!stay.may_have(dates)) fail(reference + " has dates of no change that can be its last: " + outcome);
  if (stay.rival && stay.rival->is_applied() && status == "confirmed")
    fail(reference + " has the nights that the earlier change " + stay.rival->id + " has taken");
  if (!is_decided) return;
  stay.decision = status;
  if (stay.is_over()) stay.last_dates = dates;
}

void stay_changer::learn(const changed_stay& stay, requested_change& change, const std::string& outcome) {
  const auto status = json_text_at(outcome, "/status");
  if (dates_in(outcome) != change.dates) fail("the change " + change.id + " has other dates: " + outcome);
  if (change.is_decided() && status != change.decision)
    fail("the change " + change.id + " was " + change.decision + ": " + outcome);
  if ((status == "pending") != (json_at(outcome, "/decidedAt") == "null"))
    fail("the change " + change.id + " has a wrong time of its decision: " + outcome);
  if (status == "pending") {
    if (stay.is_over()) change.is_after_the_stay = true;
    return;
  }
  change.decision = status;
  change.reason = json_text_at(outcome, "/refusal/reason");
  add_to_story("learns that the change " + change.id + " is " + status + ' ' + change.reason);
  if (status == "applied" && (change.is_after_the_stay || !change.is_valid() || stay.decision == "refused"))
    fail("the change " + change.id + " of " + stay.event.reference + " was applied: " + outcome);
  if (status == "refused") check_refusal(stay, change);
}

void stay_changer::check_refusal(const changed_stay& stay, const requested_change& change) const {
  const bool is_expected = change.reason == "nights_taken"         ? change.is_valid()
                           : change.reason == "no_payment_value"   ? !change.has_payment
                           : change.reason == "dates_out_of_order" ? !change.is_valid()
                           : change.reason == "booking_refused"    ? stay.decision != "confirmed"
                           : change.reason == "booking_cancelled"  ? stay.may_be_cancelled
                                                                   : change.reason == "nights_held";
  if (!is_expected) fail("the change " + change.id + " was refused because of " + change.reason);
}

// The store

std::vector<std::string> stay_changer::differences(store::session& db) const {
  std::vector<std::string> errors;
  for (const auto& each : stays_) compare_stay(db, each, errors);
  return errors;
}

void stay_changer::compare_stay(store::session& db, const changed_stay& stay,
                                std::vector<std::string>& errors) const {
  const auto& event = stay.event;
  const auto add = [&](const std::string& text) { errors.push_back(name() + ": " + text); };
  const auto outcome = store::find_outcome(db, event.platform, event.reference);
  if (!outcome) return add("the booking " + event.reference + " is lost");
  const stay_dates dates{outcome->check_in, outcome->check_out};
  if (status_of(*outcome) != stay.decision)
    add("the booking " + event.reference + " is " + status_of(*outcome) + " instead of " + stay.decision);
  if (!stay.may_have(dates)) add("the booking " + event.reference + " is from " + to_string(dates));
  if (stay.rival && stay.rival->is_applied() && stay.decision != "refused")
    add(event.reference + " was booked although the earlier change " + stay.rival->id + " took its nights");
  const auto ever_taken = ever_taken_nights(db);
  for (const auto& change : stay.changes) {
    const auto stored = store::find_stay_change(db, event.platform, event.reference, change.id);
    if (change.is_rejected != !stored)
      add("the change " + change.id + (stored ? " is stored although it was rejected" : " is lost"));
    if (!stored) continue;
    if (status_of(*stored) != change.decision)
      add("the change " + change.id + " is " + status_of(*stored) + " instead of " + change.decision);
    if (change.is_applied() && !outcome->booked)
      add("a change was applied to the refused " + event.reference);
    if (change.reason != "nights_taken") continue;
    // The stay that competes for the nights of the change arrived later, so it cannot be the reason.
    const auto is_reason = [&](const taken_range& range) {
      const auto competes = [&](const changed_stay& each) {
        const auto other = store::find_outcome(db, each.event.platform, each.event.reference);
        return each.rival == &change && other && other->booking_id == range.id;
      };
      return range.id != outcome->booking_id &&
             overlap(range.nights, domain::stay_nights(change.dates.check_in, change.dates.check_out)) &&
             std::ranges::none_of(stays_, competes);
    };
    const auto taken = ever_taken.find(unit_id(event.unit));
    if (taken == ever_taken.end() || std::ranges::none_of(taken->second, is_reason))
      add("the change " + change.id + " was refused, but no earlier booking or block ever had its nights");
  }
}

} // namespace roost::testing
