#include "store/office/history.hpp"
#include "store/stays/platform_change_scene.hpp"
#include "store/support/cancelled_stays.hpp"
#include "store/support/rejecting_trigger.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <optional>

/// Decisions about changes of stays that platforms request.
namespace roost::testing::platform_changes_test {
using kind = store::stay_change_outcome::kind;
using domain::refusal;
using store::stay_change_state;
using ::testing::ElementsAre;

class PlatformChanges : public platform_change_scene {};
ROOST_ON_EACH_STORE(PlatformChanges);

TEST_P(PlatformChanges, MoveTheStay) {
  const auto id = book("2027-04-01", "2027-05-01");
  const auto before = newest_outcome();
  const auto change = put(id, "2027-04-15", "2027-06-01", [](store::stay_change& each) {
    each.occupants = 2;
    each.provider_payment = domain::money{800'00};
  });
  const auto outcome = decide();
  ASSERT_EQ(outcome.result, kind::decided);
  EXPECT_EQ(outcome.decision.state, stay_change_state::applied);
  EXPECT_FALSE(outcome.decision.refusal);
  EXPECT_EQ(outcome.point, store::newest_point(session()));
  const auto changed = record(id);
  EXPECT_EQ(changed.booking.check_in, day("2027-04-15"));
  EXPECT_EQ(changed.booking.check_out, day("2027-06-01"));
  EXPECT_EQ(changed.booking.last_night, day("2027-05-31"));
  EXPECT_EQ(changed.booking.occupants, 2);
  EXPECT_EQ(changed.booking.provider_payment, domain::money{800'00});
  EXPECT_EQ(changed.revision, 1);
  EXPECT_EQ(changed.updated_at, today);
  const auto stored = stored_as(change);
  EXPECT_EQ(stored.state, stay_change_state::applied);
  EXPECT_TRUE(stored.decided_at);
  EXPECT_EQ(newest_outcome(), before + 1);
  const auto read = store::find_outcome(session(), platform, change.reference).value();
  EXPECT_EQ(read.check_in, day("2027-04-15"));
  EXPECT_EQ(read.check_out, day("2027-06-01"));
  EXPECT_THAT(store::outcomes_after(session(), platform, before, 10).outcomes, ElementsAre(read));
  EXPECT_EQ(book_by_hand("2027-04-01", "2027-04-15").result, store::office_result::created) << "it is free";
  EXPECT_EQ(book_by_hand("2027-05-31", "2027-06-02").result, store::office_result::booked);
}

TEST_P(PlatformChanges, ComputeThePlanAgain) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-15", "2027-06-10",
      [](store::stay_change& each) { each.provider_payment = domain::money{800'00}; });
  decide();
  const auto plan = record(id).booking.terms->plan;
  std::optional<domain::nights> covered;
  for (const auto& line : plan) {
    if (line.kind != domain::payment_kind::rent) continue;
    if (!covered) covered = *line.period;
    covered->first = std::min(covered->first, line.period->first);
    covered->last = std::max(covered->last, line.period->last);
  }
  EXPECT_EQ(covered, (domain::nights{day("2027-04-15"), day("2027-06-09")}));
  EXPECT_EQ(plan.back().kind, domain::payment_kind::provider_platform_payment);
  EXPECT_EQ(plan.back().amount, domain::money{800'00});
}

TEST_P(PlatformChanges, KeepThePaymentAndTheOccupantsUnlessTheySetThem) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-01", "2027-05-01", [](store::stay_change& each) { each.occupants = 2; });
  decide();
  put(id, "2027-04-10", "2027-05-10");
  decide();
  EXPECT_EQ(record(id).booking.occupants, 2);
  EXPECT_EQ(record(id).booking.provider_payment, domain::money{650'00});
  EXPECT_EQ(record(id).booking.terms->plan.back().amount, domain::money{650'00});
  EXPECT_EQ(record(id).revision, 2);
}

TEST_P(PlatformChanges, BlockTheDaysOfPreparation) {
  const auto id = book("2027-04-01", "2027-05-01");
  file_.accounts[0].properties[0].units[0].terms.preparation_days = 3;
  import();
  put(id, "2027-04-01", "2027-05-10");
  decide();
  EXPECT_EQ(record(id).booking.last_night, day("2027-05-12"));
}

TEST_P(PlatformChanges, ShowTheDatesBeforeTheLastOne) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-10", "2027-05-10");
  decide();
  EXPECT_EQ(record(id).platform_change.at, today);
  EXPECT_EQ(record(id).platform_change.check_in, day("2027-04-01"));
  EXPECT_EQ(record(id).platform_change.check_out, day("2027-05-01"));
  put(id, "2027-04-20", "2027-05-20");
  decide(today + 1h);
  EXPECT_EQ(record(id).platform_change.at, today + 1h);
  EXPECT_EQ(record(id).platform_change.check_in, day("2027-04-10"));
  EXPECT_EQ(record(id).platform_change.check_out, day("2027-05-10"));
  ASSERT_EQ(change_by_hand(id, "2027-04-25", "2027-05-20").result, store::office_result::changed);
  EXPECT_EQ(record(id).platform_change.at, today + 1h) << "the office's changes leave it";
  EXPECT_EQ(record(id).platform_change.check_in, day("2027-04-10"));
}

TEST_P(PlatformChanges, NotifyTheLandlordAndNameThePlatformAndTheCredential) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-15", "2027-06-01");
  const auto audited = audit().size();
  const auto outcome = decide();
  EXPECT_EQ(notices().front(), "booking_changed");
  EXPECT_EQ(notices().size(), 2U) << "with that of the booking";
  const auto logged = store::list_unit_changes(session(), scope, unit_id(1), {}, 1, store::with_total::no);
  ASSERT_EQ(logged->items.size(), 1U);
  EXPECT_EQ(logged->items[0].by, platform);
  EXPECT_EQ(logged->items[0].at, today);
  EXPECT_EQ(logged->items[0].subject_id, id);
  EXPECT_EQ(logged->items[0].edit, outcome.point.position);
  EXPECT_THAT(logged->items[0].changes,
              ElementsAre(domain::field_change{"checkInDate", R"("2027-04-01")", R"("2027-04-15")"}));
  const auto entries = audit();
  ASSERT_EQ(entries.size(), audited + 1);
  EXPECT_EQ(entries[0].actor, "token 1");
  EXPECT_EQ(entries[0].action, "booking change");
  EXPECT_EQ(entries[0].detail, R"(checkInDate: "2027-04-01" to "2027-04-15")");
  EXPECT_EQ(entries[0].account_id, account_id(1));
}

TEST_P(PlatformChanges, AreRefusedWithTheTakenNights) {
  const auto id = book("2027-04-01", "2027-05-01");
  book("2027-05-20", "2027-05-30");
  block("2027-05-10", "2027-05-12");
  block("2027-04-12", "2027-04-13"); // across the stay: known to the landlord
  put(id, "2027-04-10", "2027-05-25");
  const auto decision = refused(id);
  EXPECT_EQ(decision.refusal, refusal::overlapping_nights);
  EXPECT_THAT(decision.taken_nights, ElementsAre(domain::nights{day("2027-05-10"), day("2027-05-12")},
                                                 domain::nights{day("2027-05-20"), day("2027-05-24")}));
}

TEST_P(PlatformChanges, OfImpossibleValuesAreRefused) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-05-01", "2027-05-01");
  EXPECT_EQ(reason(id), refusal::check_out_not_after_check_in);
  put(id, "2027-05-10", "2027-05-01");
  auto request = to_decide(pending());
  request.expected.reset();
  EXPECT_EQ(decide(request).decision.refusal, refusal::check_out_not_after_check_in);
  put(id, "2027-04-01", "2027-05-02",
      [](store::stay_change& each) { each.provider_payment = domain::money{0}; });
  EXPECT_EQ(reason(id), refusal::provider_payment_missing);
}

TEST_P(PlatformChanges, AreRefusedIfTheCardForbidsThem) {
  const auto id = book("2027-04-01", "2027-05-01");
  import_card(false);
  put(id, "2027-04-10", "2027-05-10");
  EXPECT_EQ(reason(id), refusal::changes_not_allowed);
  import_card(true);
  put(id, "2027-04-10", "2027-05-10");
  EXPECT_EQ(decide().decision.state, stay_change_state::applied);
  file_.accounts[0].details.cards.clear();
  import();
  put(id, "2027-04-11", "2027-05-10");
  EXPECT_EQ(decide().decision.state, stay_change_state::applied) << "without a card";
}

TEST_P(PlatformChanges, OfCancelledAndRefusedBookingsAreRefused) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-10", "2027-05-10");
  ASSERT_TRUE(cancel_stay(session(), id));
  EXPECT_EQ(reason(id), refusal::booking_cancelled);
  const auto request = sample_request(20);
  node_->insert({request});
  put(*request.reference, "2027-04-10", "2027-05-10");
  node_->follow();
  node_->decide({refuse(request)});
  EXPECT_EQ(reason(id), refusal::booking_refused);
}

TEST_P(PlatformChanges, OfBookingsWithdrawnBeforeTheDecisionAreRefused) {
  const auto id = book("2027-04-01", "2027-05-01");
  const auto request = sample_request(20);
  node_->insert({request});
  put(*request.reference, "2027-04-10", "2027-05-10");
  store::withdraw_requests(session(), node_->lease,
                           {platform, *request.reference, [](const auto&) { return std::nullopt; },
                            [](const auto& withdrawn, const auto&) {
                              return store::audit_entry{withdrawn, today, "token 1", "booking withdrawal"};
                            }});
  EXPECT_EQ(reason(id), refusal::booking_cancelled);
}

TEST_P(PlatformChanges, OfStaysThatAreOverAreRefused) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-01", "2027-05-10");
  EXPECT_EQ(reason(id, moment("2027-05-01T00:00:00.000Z")), refusal::stay_over)
      << "before the status follows the date";
  store::advance_stays(session(), node_->lease, day("2027-05-01"));
  put(id, "2027-04-01", "2027-05-10");
  EXPECT_EQ(reason(id, moment("2027-06-01T00:00:00.000Z")), refusal::stay_over);
}

TEST_P(PlatformChanges, OfStaysThatHaveBegunMoveOnlyTheCheckOut) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-02", "2027-05-01");
  EXPECT_EQ(reason(id, moment("2027-04-01T00:00:00.000Z")), refusal::stay_begun);
  put(id, "2027-03-31", "2027-05-10");
  store::advance_stays(session(), node_->lease, day("2027-04-01"));
  EXPECT_EQ(reason(id, moment("2027-04-10T00:00:00.000Z")), refusal::stay_begun);
  put(id, "2027-04-01", "2027-05-10");
  EXPECT_EQ(decide(moment("2027-04-30T23:59:59.000Z")).decision.state, stay_change_state::applied);
  EXPECT_EQ(record(id).booking.check_out, day("2027-05-10"));
}

/// As in the office: the unit is withheld from new bookings only.
TEST_P(PlatformChanges, InAnArchivedUnitAreApplied) {
  const auto id = book("2027-04-01", "2027-05-01");
  file_.accounts[0].properties[0].units[0].terms.archived = true;
  import();
  put(id, "2027-04-10", "2027-05-10");
  EXPECT_EQ(decide().decision.state, stay_change_state::applied);
}

TEST_P(PlatformChanges, ArePostponedUntilTheBookingIsDecided) {
  auto request = sample_request(20);
  node_->insert({request});
  put(*request.reference, "2027-04-10", "2027-05-10");
  expect_pending_after(decide(), store::stay_change_outcome::kind::undecided);
  node_->decide({accept(request, unit_id(1))});
  EXPECT_EQ(decide().decision.state, stay_change_state::applied);
}

TEST_P(PlatformChanges, ArePostponedIfTheNightsAreNotThoseExpected) {
  const auto id = book("2027-04-01", "2027-05-01");
  const auto change = put(id, "2027-04-10", "2027-05-10");
  auto request = to_decide(pending());
  request.expected->nights.last = day("2027-05-08");
  expect_pending_after(decide(request), store::stay_change_outcome::kind::outdated);
  request.expected.reset();
  expect_pending_after(decide(request), store::stay_change_outcome::kind::outdated);
  request.expected = store::unit_nights{unit_id(2), domain::stay_nights(change.check_in, change.check_out)};
  expect_pending_after(decide(request), store::stay_change_outcome::kind::outdated);
  EXPECT_EQ(record(id).revision, 0);
  EXPECT_EQ(decide().decision.state, stay_change_state::applied);
}

TEST_P(PlatformChanges, AreDecidedOnce) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-10", "2027-05-10");
  const auto request = to_decide(pending());
  decide(request);
  const auto again = decide(request);
  EXPECT_EQ(again.result, kind::decided_before);
  EXPECT_EQ(record(id).revision, 1);
  EXPECT_EQ(notices().size(), 2U);
}

TEST_P(PlatformChanges, WithoutEffectAreAppliedAndChangeNothing) {
  const auto id = book("2027-04-01", "2027-05-01");
  const auto change = put(id, "2027-04-01", "2027-05-01", [](store::stay_change& each) {
    each.occupants = 1;
    each.provider_payment = domain::money{650'00};
  });
  const auto rows = rows_of_table(session(), "bookings");
  const auto newest = newest_outcome(), position = position_of(session());
  const auto audited = audit().size();
  EXPECT_EQ(decide().decision.state, stay_change_state::applied);
  EXPECT_EQ(stored_as(change).state, stay_change_state::applied);
  EXPECT_EQ(rows_of_table(session(), "bookings"), rows);
  EXPECT_EQ(newest_outcome(), newest);
  EXPECT_EQ(position_of(session()), position);
  EXPECT_THAT(notices(), ElementsAre("booking_created"));
  EXPECT_EQ(audit().size(), audited);
}

TEST_P(PlatformChanges, OfThePaymentAloneDoNotChangeTheOutcome) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-01", "2027-05-01",
      [](store::stay_change& each) { each.provider_payment = domain::money{700'00}; });
  auto request = to_decide(pending());
  request.expected.reset();
  const auto newest = newest_outcome();
  EXPECT_EQ(decide(request).decision.state, stay_change_state::applied);
  EXPECT_EQ(record(id).booking.provider_payment, domain::money{700'00});
  EXPECT_EQ(record(id).booking.terms->plan.back().amount, domain::money{700'00});
  EXPECT_EQ(newest_outcome(), newest);
}

TEST_P(PlatformChanges, AreWrittenTogetherOrNotAtAll) {
  const auto id = book("2027-04-01", "2027-05-01");
  const auto change = put(id, "2027-04-10", "2027-05-10");
  const auto newest = newest_outcome(), position = position_of(session());
  reject_changes(session(), "stay_changes", "state", "new.state = 'applied'");
  EXPECT_THROW(decide(), store::error);
  EXPECT_EQ(record(id).booking.check_in, day("2027-04-01"));
  EXPECT_EQ(stored_as(change).state, stay_change_state::pending);
  EXPECT_EQ(newest_outcome(), newest);
  EXPECT_EQ(position_of(session()), position);
  EXPECT_THAT(notices(), ElementsAre("booking_created"));
  accept_changes(session(), "stay_changes");
  EXPECT_EQ(decide().decision.state, stay_change_state::applied);
}

TEST_P(PlatformChanges, RequireTheLease) {
  const auto id = book("2027-04-01", "2027-05-01");
  put(id, "2027-04-10", "2027-05-10");
  auto& lease = node_->lease;
  ++lease.epoch;
  EXPECT_THROW(decide(), store::lease_lost);
  --lease.epoch;
  EXPECT_EQ(decide().decision.state, stay_change_state::applied);
}

/// Only PostgreSQL locks rows.
class LockedPlatformChanges : public PlatformChanges {};
ROOST_ON_POSTGRESQL(LockedPlatformChanges);

TEST_P(LockedPlatformChanges, AreUnavailableWhileTheBookingOrTheUnitIsLocked) {
  const auto id = book("2027-04-01", "2027-05-01");
  const auto change = put(id, "2027-04-10", "2027-05-10");
  for (const auto* const hold : {"select 1 from bookings for update", "select 1 from units for update",
                                 "select 1 from stay_changes for update"}) {
    auto other = store().open();
    const store::transaction locking(other, store::transaction::purpose::write);
    other.internals().script("hold", hold);
    EXPECT_THROW(decide(), store::unavailable) << hold;
  }
  EXPECT_EQ(stored_as(change).state, stay_change_state::pending);
  EXPECT_EQ(decide().decision.state, stay_change_state::applied);
}

} // namespace roost::testing::platform_changes_test
