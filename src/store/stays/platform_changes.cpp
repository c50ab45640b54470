#include "store/stays/platform_changes.hpp"

#include "store/office/account.hpp"
#include "store/office/office_write.hpp"

#include <utility>

namespace roost::store {

namespace {

stay_change_decision refused_because(domain::refusal reason, std::vector<domain::nights> taken = {}) {
  return {stay_change_state::refused, reason, std::move(taken)};
}

/// Returns why a change is refused whatever it changes.
std::optional<domain::refusal> refusal_of(session& db, const office_scope& scope,
                                          const pending_stay_change& pending) {
  if (!pending.booking || pending.booking->status == outcome_status::refused)
    return domain::refusal::booking_refused;
  if (pending.booking->status == outcome_status::cancelled) return domain::refusal::booking_cancelled;
  const auto card = find_card(db, scope, pending.change.platform);
  if (card.exists && !card.card.allow_changes) return domain::refusal::changes_not_allowed;
  if (pending.change.provider_payment == domain::money{0}) return domain::refusal::provider_payment_missing;
  return std::nullopt;
}

/// Returns why a booking that conflicts with any change, or with this one, cannot be changed.
domain::refusal obstacle_to(const booking_record& booking, domain::date today) {
  if (booking.cancelled_by) return domain::refusal::booking_cancelled;
  return obstacle_of(booking, today).empty() ? domain::refusal::stay_begun : domain::refusal::stay_over;
}

booking_change change_of(const pending_stay_change& pending, const stay_change_to_decide& request,
                         const office_author& author) {
  booking_change change;
  change.id = pending.booking->booking_id.value();
  change.is_current = [](const booking_record&) { return true; };
  change.check_in = pending.change.check_in;
  change.check_out = pending.change.check_out;
  change.occupants = pending.change.occupants;
  change.provider_payment = pending.change.provider_payment;
  change.is_by_platform = true;
  change.expected = request.expected;
  change.entry_id = author.audit.id;
  change.describe = request.describe;
  change.notice = request.notice;
  return change;
}

/// Returns nullopt if the booking has changed since the request was prepared.
std::optional<stay_change_decision> decision_of(const booking_outcome& outcome, domain::date today) {
  switch (outcome.result) {
  case office_result::changed:
  case office_result::unchanged:
    return stay_change_decision{};
  case office_result::booked:
    return refused_because(*outcome.refused, outcome.taken);
  case office_result::conflicting:
    return refused_because(obstacle_to(outcome.booking, today));
  case office_result::refused:
    return refused_because(domain::refusal::check_out_not_after_check_in);
  default:
    return std::nullopt;
  }
}

stay_change_outcome decide_once(session& db, const lease& held, const office_scope& scope,
                                const stay_change_to_decide& request, const office_author& author) {
  using enum stay_change_outcome::kind;
  office_transaction txn(db, held);
  const auto pending = lock_pending_change(db, request.seq);
  if (!pending) return {decided_before};
  if (pending->booking && pending->booking->status == outcome_status::pending) return {undecided};
  stay_change_outcome outcome{decided};
  if (const auto refused = refusal_of(db, scope, *pending)) {
    outcome.decision = refused_because(*refused);
  } else {
    auto changed = change_in_transaction(db, scope, change_of(*pending, request, author), author);
    auto decision = decision_of(changed, domain::day_of(author.now));
    if (!decision) return {outdated};
    outcome.decision = *std::move(decision);
    outcome.point = changed.point;
  }
  decide_pending_change(db, request.seq, outcome.decision);
  txn.commit();
  return outcome;
}

} // namespace

stay_change_outcome decide_stay_change(session& db, const lease& held, const office_scope& scope,
                                       const stay_change_to_decide& request, const office_author& author) {
  return with_retries([&] { return decide_once(db, held, scope, request, author); });
}

} // namespace roost::store
