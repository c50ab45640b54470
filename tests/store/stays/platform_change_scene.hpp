#pragma once

#include "store/audit/audit.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/office/blocks.hpp"
#include "store/stays/platform_changes.hpp"
#include "store/stays/stay_scene.hpp"
#include "store/support/manual_stays.hpp"
#include "store/support/sample_stay_change.hpp"
#include "store/support/stored_rows.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roost::testing {

/// Changes of stays that a platform requests of the first account's unit, and their decisions.
class platform_change_scene : public stay_scene {
protected:
  /// Books the first unit on the platform.
  domain::uuid book(const char* check_in, const char* check_out) {
    const auto decision = stay_scene::decide(++bookings_, true, [&](domain::booking_request& request) {
      request.check_in = day(check_in);
      request.check_out = day(check_out);
    });
    return decision.booking->id;
  }

  store::block_outcome block(const char* first, const char* last) {
    const store::block_creation request{unit_id(1), fresh_id(), {day(first), day(last)}, "Paint", {}};
    return store::create_block(session(), node_->lease, scope, request, author());
  }

  store::booking_outcome book_by_hand(const char* check_in, const char* check_out) {
    return store::create_booking(session(), node_->lease, scope, stay_by_hand(check_in, check_out), author());
  }

  store::booking_outcome change_by_hand(const domain::uuid& id, const char* check_in, const char* check_out) {
    return store::change_booking(session(), node_->lease, scope, stay_on_other_dates(id, check_in, check_out),
                                 author());
  }

  std::vector<std::string> notices() { return notice_kinds(session()); }

  /// Requests a change of the booking, which only `edit` gives other occupants or another payment.
  store::stay_change put(const std::string& reference, const char* check_in, const char* check_out,
                         const std::function<void(store::stay_change&)>& edit = {}) {
    auto change =
        sample_stay_change(platform, reference, "change-" + std::to_string(++changes_), check_in, check_out);
    if (edit) edit(change);
    EXPECT_EQ(store::put_stay_change(session(), node_->lease, change, day("2026-11-20")).result,
              store::stay_change_receipt::kind::created);
    return change;
  }
  store::stay_change put(const domain::uuid& booking, const char* check_in, const char* check_out,
                         const std::function<void(store::stay_change&)>& edit = {}) {
    return put(record(booking).booking.reference.value(), check_in, check_out, edit);
  }

  store::pending_stay_change pending() {
    return store::first_pending_change(
               session(), std::vector{platform}, [](const auto&) { return true; },
               [](const auto&) { return true; })
        .value();
  }

  static store::stay_change_to_decide to_decide(const store::pending_stay_change& pending) {
    const auto nights = domain::stay_nights(pending.change.check_in, pending.change.check_out);
    return {pending.seq, store::unit_nights{unit_id(1), nights}, describe_check_in,
            notice_of_kind("booking_changed")};
  }

  store::stay_change_outcome decide(const store::stay_change_to_decide& request,
                                    domain::timestamp now = today) {
    const store::office_author by{platform, now, {fresh_id(), now, "token 1", "booking change", "", ""}};
    return store::decide_stay_change(session(), node_->lease, scope, request, by);
  }
  /// Decides the first pending change.
  store::stay_change_outcome decide(domain::timestamp now = today) {
    return decide(to_decide(pending()), now);
  }

  /// Decides the first pending change, which must be refused and leave everything as it is.
  store::stay_change_decision refused(const domain::uuid& booking, domain::timestamp now = today) {
    const auto change = pending().change;
    const auto before = rows_of_table(session(), "bookings");
    const auto newest = newest_outcome(), position = position_of(session());
    const auto notified = notices().size(), audited = audit().size();
    const auto outcome = decide(now);
    EXPECT_EQ(outcome.result, store::stay_change_outcome::kind::decided);
    EXPECT_EQ(outcome.decision.state, store::stay_change_state::refused);
    EXPECT_EQ(outcome.point.position, 0);
    EXPECT_EQ(rows_of_table(session(), "bookings"), before);
    EXPECT_FALSE(record(booking).platform_change.at);
    EXPECT_EQ(newest_outcome(), newest);
    EXPECT_EQ(position_of(session()), position);
    EXPECT_EQ(notices().size(), notified);
    EXPECT_EQ(audit().size(), audited);
    const auto stored = stored_as(change);
    EXPECT_EQ(stored.state, store::stay_change_state::refused);
    EXPECT_EQ(stored.refusal, outcome.decision.refusal);
    EXPECT_EQ(stored.taken_nights, outcome.decision.taken_nights);
    EXPECT_TRUE(stored.decided_at);
    return outcome.decision;
  }
  std::optional<domain::refusal> reason(const domain::uuid& booking, domain::timestamp now = today) {
    return refused(booking, now).refusal;
  }

  void expect_pending_after(const store::stay_change_outcome& outcome,
                            store::stay_change_outcome::kind expected) {
    EXPECT_EQ(outcome.result, expected);
    EXPECT_EQ(stored_as(pending().change).state, store::stay_change_state::pending);
  }

  store::booking_record record(const domain::uuid& id) { return store::find_booking(session(), id).value(); }
  store::stay_change_record stored_as(const store::stay_change& change) {
    return store::find_stay_change(session(), change.platform, change.reference, change.id).value();
  }
  std::int64_t newest_outcome() { return store::newest_outcome(session(), platform); }
  std::vector<store::audit_entry> audit() { return store::list_audit(session(), 100); }

  /// Imports the first account again, with the card of the platform.
  void import_card(bool allow_changes) {
    file_.accounts[0].details.cards.at(0).allow_changes = allow_changes;
    import();
  }

  static inline const std::string platform = "marketplace-a";
  static inline const domain::timestamp today = moment("2026-11-21T12:00:00.000Z");

private:
  unsigned long bookings_ = 0;
  int changes_ = 0;
};

} // namespace roost::testing
