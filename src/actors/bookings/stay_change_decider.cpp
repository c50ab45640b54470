#include "actors/bookings/stay_change_decider.hpp"

#include "actors/office/booking_notices.hpp"
#include "log/log.hpp"

#include <chrono>
#include <string>

namespace roost::actors {

namespace {

/// How long a change waits for nights that a write of the office holds, and for the store.
constexpr std::chrono::seconds max_time{2};

metrics::counter counter_of(metrics::registry& registry, store::stay_change_state outcome) {
  return registry.counter("roost_stay_changes_total", "Changes of stays by platforms that were decided",
                          {{"outcome", std::string{domain::to_string(outcome)}}});
}

/// Returns the nights of the stay after the change; nullopt if it takes no others.
std::optional<store::unit_nights> expected_nights(const store::pending_stay_change& pending) {
  const auto& booking = pending.booking;
  const auto& change = pending.change;
  if (!booking || !booking->booked || change.check_out <= change.check_in) return std::nullopt;
  const auto wanted = domain::stay_nights(change.check_in, change.check_out);
  if (wanted == domain::stay_nights(booking->check_in, booking->check_out)) return std::nullopt;
  return store::unit_nights{booking->booked->unit_id, wanted};
}

} // namespace

stay_change_decider::stay_change_decider(stay_change_setup setup, metrics::registry& registry)
    : setup_(std::move(setup)), applied_(counter_of(registry, store::stay_change_state::applied)),
      refused_(counter_of(registry, store::stay_change_state::refused)) {}

decide_stay_change stay_change_decider::message_of(const store::pending_stay_change& pending) const {
  const auto& change = pending.change;
  store::office_scope scope;
  std::string subject;
  if (pending.booking && pending.booking->booked) {
    scope.account_id = pending.booking->booked->account_id;
    subject = domain::to_string(pending.booking->booking_id.value());
  }
  const auto now = setup_.now();
  store::office_author author{
      change.platform,
      now,
      {setup_.new_id(), now, change.requested_by, "booking change", std::move(subject), ""}};
  store::stay_change_to_decide request{pending.seq, expected_nights(pending), setup_.describe,
                                       notice_of_platform_change(author, setup_.new_id())};
  return {std::move(scope), std::move(request), std::move(author), deadline::in(max_time)};
}

void stay_change_decider::report(const store::pending_stay_change& pending,
                                 const store::stay_change_outcome& outcome) {
  using enum store::stay_change_outcome::kind;
  failures_.erase(pending.seq);
  if (outcome.result == decided_before) return;
  if (outcome.result == undecided) return postponed_.await_booking(pending);
  if (outcome.result == outdated) return postpone(pending, "the booking has changed");
  const auto& change = pending.change;
  if (const auto& refusal = outcome.decision.refusal) {
    refused_.increment();
    return log::info("stay_change_refused", {{"platform", change.platform},
                                             {"reference", change.reference},
                                             {"change", change.id},
                                             {"reason", domain::to_string(*refusal)}});
  }
  applied_.increment();
  log::info("stay_change_applied",
            {{"platform", change.platform}, {"reference", change.reference}, {"change", change.id}});
}

/// Later requests wait until a failure has repeated so often that it may never end: then they must go on.
void stay_change_decider::failed(const store::pending_stay_change& pending, storage_error error) {
  constexpr int max_failures = 10; // in as many runs
  if (error == storage_error::unavailable || ++failures_[pending.seq] < max_failures)
    return postpone(pending, to_string(error));
  postponed_.skip(pending);
  const auto& change = pending.change;
  log::error("stay_change_not_recordable", {{"platform", change.platform},
                                            {"reference", change.reference},
                                            {"change", change.id},
                                            {"reason", to_string(error)}});
}

void stay_change_decider::postpone(const store::pending_stay_change& pending, std::string_view reason) {
  postponed_.add(pending);
  const auto& change = pending.change;
  log::warn("stay_change_postponed", {{"platform", change.platform},
                                      {"reference", change.reference},
                                      {"change", change.id},
                                      {"reason", reason}});
}

} // namespace roost::actors
