#include "store/bookings/outcomes.hpp"
#include "store/office/booking_scene.hpp"
#include "store/office/history.hpp"
#include "store/portfolio/live.hpp"

#include <gmock/gmock.h>

#include <optional>
#include <vector>

/// Changes of bookings' dates, units and occupants.
namespace roost::testing::booking_changes_test {
using store::office_result;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

const auto other_unit = unit_id(9);

class BookingChanges : public booking_scene {
protected:
  static store::booking_change to_unit(const domain::uuid& id, const domain::uuid& unit, const char* check_in,
                                       const char* check_out) {
    auto request = stay_on_other_dates(id, check_in, check_out);
    request.unit_id = unit;
    request.expected->unit_id = unit;
    return request;
  }

  store::booking_outcome change(const store::booking_change& request) {
    return store::change_booking(session(), node_->lease, scope, request, author());
  }

  domain::uuid made(const char* check_in, const char* check_out) {
    return book_by_hand(check_in, check_out).booking.booking.id;
  }

  /// Returns the block of the booking with which a calendar is created.
  domain::block loaded(const domain::uuid& id) {
    std::optional<domain::block> found;
    store::load_live(session(), std::vector{account_id(1)}, [&](const store::live_account& account) {
      for (const auto& property : account.properties)
        for (const auto& unit : property.units)
          for (const auto& block : unit.blocks)
            if (block.id == id) found = block;
    });
    return found.value();
  }

  /// Adds a unit without links to the account.
  void add_other_unit() {
    auto& units = file_.accounts[0].properties[0].units;
    auto added = units.at(1);
    added.terms.id = other_unit;
    added.terms.internal_name = "Other";
    added.links.clear();
    units.push_back(added);
    import();
  }

  store::platform_reference reference_of(const domain::uuid& id) {
    const auto record = store::find_booking(session(), id).value();
    return {record.booking.platform.value(), record.booking.reference.value(), account_id(1)};
  }

  /// Cancels with the reference of a listing of the unit.
  std::optional<store::cancellation> cancel_by_platform(const domain::uuid& id, const domain::uuid& unit) {
    const store::platform_cancellation request{
        reference_of(id), unit, [](const store::booking_record& each) {
          return domain::notification{
              fresh_id(), each.booking.account_id, "booking_cancelled", "t", "b", each.booking.id, {}, {}};
        }};
    return store::cancel_for_platforms(session(), node_->lease, {&request, 1}).at(0);
  }

  std::optional<domain::uuid> settled(const domain::uuid& id, const domain::uuid& unit) {
    return store::settled_cancellation(session(), reference_of(id), unit);
  }

  store::live_stay stay_in_memory(const domain::uuid& id) {
    return store::live_stays(session(), std::vector{id}).at(0);
  }
};
ROOST_ON_EACH_STORE(BookingChanges);

TEST_P(BookingChanges, MoveAStayToOtherNightsInOneTransaction) {
  const auto id = made("2027-04-01", "2027-05-01");
  const auto changed = change(stay_on_other_dates(id, "2027-04-15", "2027-06-01"));
  ASSERT_EQ(changed.result, office_result::changed) << changed.problem;
  EXPECT_EQ(changed.booking.booking.check_in, day("2027-04-15"));
  EXPECT_EQ(changed.booking.revision, 1);
  EXPECT_EQ(stay_in_memory(id).block.revision, 1);
  EXPECT_EQ(loaded(id).revision, 1);
  EXPECT_EQ(loaded(id).nights.first, day("2027-04-15"));
  EXPECT_THAT(notices(), ElementsAre("booking_changed", "booking_created"));
  EXPECT_EQ(book_by_hand("2027-04-01", "2027-04-15").result, office_result::created) << "these are free";
  EXPECT_EQ(book_by_hand("2027-05-30", "2027-06-02").result, office_result::booked);
}

TEST_P(BookingChanges, MoveAStayToAnotherUnitOfTheAccount) {
  const auto id = made("2027-04-01", "2027-05-01");
  const auto changed = change(to_unit(id, unit_id(2), "2027-04-01", "2027-05-01"));
  ASSERT_EQ(changed.result, office_result::changed) << changed.problem;
  EXPECT_EQ(stay_in_memory(id).unit_id, unit_id(2));
  const auto entry = store::entries_after(session(), changed.point.position - 1, 1).at(0).change;
  EXPECT_THAT(entry.units, UnorderedElementsAre(unit_id(1), unit_id(2)));
  for (const auto unit : {unit_id(1), unit_id(2)})
    EXPECT_EQ(store::list_unit_changes(session(), scope, unit, {}, 1, store::with_total::no)
                  ->items.at(0)
                  .subject_id,
              id);
  EXPECT_EQ(book_by_hand("2027-04-01", "2027-05-01").result, office_result::created) << "the unit is free";
  EXPECT_EQ(change(to_unit(id, unit_id(3), "2027-04-01", "2027-05-01")).problem,
            "unitId must be a unit of the account")
      << "another account's";
}

TEST_P(BookingChanges, ComputeThePlanOfABookingThatHadBeenMadeThen) {
  const auto id = made("2027-04-01", "2027-05-01");
  auto request = stay_on_other_dates(id, "2027-04-10", "2027-07-05");
  request.occupants = 2;
  const auto changed = change(request).booking;
  cancel(id);
  auto again = stay_by_hand("2027-04-10", "2027-07-05");
  again.stay.occupants = 2;
  EXPECT_EQ(*book_by_hand(again).booking.booking.terms, *changed.booking.terms);
}

TEST_P(BookingChanges, KeepThePaymentOfThePlatform) {
  const auto id = book("2027-04-01", "2027-05-01");
  const auto changed = change(stay_on_other_dates(id, "2027-04-01", "2027-08-01"));
  ASSERT_EQ(changed.result, office_result::changed) << changed.problem;
  EXPECT_EQ(changed.booking.booking.provider_payment, domain::money{650'00});
  EXPECT_EQ(changed.booking.booking.terms->plan.back().kind, domain::payment_kind::provider_platform_payment);
}

TEST_P(BookingChanges, AreRefusedWithTheTakenNightsAndLeaveTheStay) {
  const auto id = made("2027-04-01", "2027-05-01");
  made("2027-05-10", "2027-05-20");
  create("2027-03-20", "2027-03-21");
  const auto refused = change(stay_on_other_dates(id, "2027-03-15", "2027-05-12"));
  EXPECT_EQ(refused.result, office_result::booked);
  EXPECT_THAT(refused.taken, ElementsAre(domain::nights{day("2027-03-20"), day("2027-03-21")},
                                         domain::nights{day("2027-05-10"), day("2027-05-11")}));
  EXPECT_EQ(stay_in_memory(id).block.nights.first, day("2027-04-01"));
  EXPECT_EQ(stay_in_memory(id).block.revision, 0);
}

TEST_P(BookingChanges, ApplyOnlyToTheStateThatTheNightsWereHeldFor) {
  const auto id = made("2027-04-01", "2027-05-01");
  auto request = stay_on_other_dates(id, "2027-04-10", "2027-05-10");
  request.is_current = no_booking;
  EXPECT_EQ(change(request).result, office_result::outdated);
  request.is_current = {};
  EXPECT_EQ(change(request).result, office_result::unconditional);
  request.is_current = any_booking; // If-Match: *
  request.check_in.reset();
  EXPECT_EQ(change(request).result, office_result::outdated) << "other nights than expected";
  EXPECT_EQ(change(stay_on_other_dates(id, "2027-04-01", "2027-05-01")).result, office_result::unchanged);
  EXPECT_EQ(change(stay_on_other_dates(id, "2027-05-01", "2027-05-01")).problem,
            "checkOutDate must be after checkInDate");
}

TEST_P(BookingChanges, DependOnTheStatus) {
  const auto id = made("2027-04-01", "2027-05-01");
  store::advance_stays(session(), node_->lease, day("2027-04-01"));
  EXPECT_EQ(change(stay_on_other_dates(id, "2027-04-02", "2027-05-01")).problem,
            "The stay has begun: checkInDate cannot change");
  EXPECT_EQ(change(stay_on_other_dates(id, "2027-04-01", "2027-05-10")).result, office_result::changed);
  ASSERT_EQ(cancel(id).result, office_result::changed);
  EXPECT_EQ(change(stay_on_other_dates(id, "2027-04-01", "2027-05-11")).problem,
            "The booking is already cancelled");
  EXPECT_EQ(change({id, any_booking}).result, office_result::unchanged) << "without a change, in any state";
}

TEST_P(BookingChanges, ArePossibleWhereABlockOfAnImportCoversTheStay) {
  const auto id = made("2027-04-01", "2027-05-01");
  file_.accounts[0].properties[0].units[0].blocks = {{.nights = {day("2027-04-20"), day("2027-05-10")}}};
  import();
  ASSERT_EQ(blocks().size(), 1U);
  EXPECT_EQ(change(stay_on_other_dates(id, "2027-04-02", "2027-05-01")).result, office_result::changed);
  EXPECT_THAT(change(stay_on_other_dates(id, "2027-04-02", "2027-05-03")).taken,
              ElementsAre(domain::nights{day("2027-05-01"), day("2027-05-02")}));
  EXPECT_EQ(change(stay_on_other_dates(id, "2027-03-25", "2027-05-01")).result, office_result::changed);
}

TEST_P(BookingChanges, OfTheOccupantsBlockNoFurtherNights) {
  const auto id = made("2027-04-01", "2027-05-01");
  file_.accounts[0].properties[0].units[0].terms.preparation_days = 3;
  import();
  store::booking_change request{id, any_booking};
  request.occupants = 2;
  request.describe = describe_check_in;
  request.notice = notice_of_kind("booking_changed");
  ASSERT_EQ(change(request).result, office_result::changed);
  EXPECT_EQ(stay_in_memory(id).block.nights.last, day("2027-04-30")) << "no nights were held";
  ASSERT_EQ(change(stay_on_other_dates(id, "2027-04-01", "2027-05-02")).result, office_result::changed);
  EXPECT_EQ(stay_in_memory(id).block.nights.last, day("2027-05-04"));
}

TEST_P(BookingChanges, DependOnTheDateBeforeTheStatusFollowsIt) {
  const auto id = made("2026-11-01", "2026-12-01");
  EXPECT_EQ(change(stay_on_other_dates(id, "2026-11-02", "2026-12-01")).problem,
            "The stay has begun: checkInDate cannot change");
  const auto over = made("2026-10-01", "2026-11-01");
  EXPECT_EQ(change(stay_on_other_dates(over, "2026-10-01", "2026-11-20")).problem, "The stay is over");
}

TEST_P(BookingChanges, LetThePlatformCancelAMovedBooking) {
  const auto id = book("2027-04-01", "2027-05-01");
  ASSERT_EQ(change(to_unit(id, unit_id(2), "2027-04-01", "2027-05-01")).result, office_result::changed);
  EXPECT_FALSE(cancel_by_platform(id, other_unit)) << "it was never in this unit";
  EXPECT_FALSE(settled(id, other_unit));
  const auto outcome = cancel_by_platform(id, unit_id(1));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->done);
  EXPECT_EQ(outcome->unit_id, unit_id(2));
  EXPECT_EQ(settled(id, unit_id(1)), id);
  EXPECT_FALSE(settled(id, other_unit)) << "although it is cancelled";
}

TEST_P(BookingChanges, LetThePlatformNameThePresentUnitOfAMovedBooking) {
  const auto id = book("2027-04-01", "2027-05-01");
  ASSERT_EQ(change(to_unit(id, unit_id(2), "2027-04-01", "2027-05-01")).result, office_result::changed);
  const auto outcome = cancel_by_platform(id, unit_id(2));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->done);
}

TEST_P(BookingChanges, KeepTheSoldUnitOnLaterMoves) {
  add_other_unit();
  const auto id = book("2027-04-01", "2027-05-01");
  for (const auto unit : {unit_id(2), other_unit}) {
    const auto moved = change(to_unit(id, unit, "2027-04-01", "2027-05-01"));
    ASSERT_EQ(moved.result, office_result::changed) << moved.problem;
  }
  EXPECT_FALSE(cancel_by_platform(id, unit_id(2))) << "the platform did not sell it, and it has left it";
  const auto outcome = cancel_by_platform(id, unit_id(1));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->done);
  EXPECT_EQ(outcome->unit_id, other_unit);
}

TEST_P(BookingChanges, OfDatesDoNotLetAnotherUnitsReferenceCancel) {
  const auto id = book("2027-04-01", "2027-05-01");
  ASSERT_EQ(change(stay_on_other_dates(id, "2027-04-01", "2027-05-02")).result, office_result::changed);
  EXPECT_FALSE(cancel_by_platform(id, unit_id(2)));
  const auto outcome = cancel_by_platform(id, unit_id(1));
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->done);
}

TEST_P(BookingChanges, OfDatesChangeTheOutcomeThatThePlatformReads) {
  const auto booked = reference_of(book("2027-04-01", "2027-05-01"));
  const auto id = store::list_bookings(session(), {}, 1).at(0).booking.id;
  const auto newest = [&] { return store::newest_outcome(session(), booked.platform); };
  const auto before = newest();
  ASSERT_EQ(change(stay_on_other_dates(id, "2027-04-15", "2027-06-01")).result, office_result::changed);
  EXPECT_EQ(newest(), before + 1);
  const auto outcome = store::find_outcome(session(), booked.platform, booked.reference).value();
  EXPECT_EQ(outcome.status, store::outcome_status::confirmed);
  EXPECT_EQ(outcome.check_in, day("2027-04-15"));
  EXPECT_EQ(outcome.check_out, day("2027-06-01"));
  EXPECT_GE(outcome.changed_at, outcome.decided_at.value());
  EXPECT_THAT(store::outcomes_after(session(), booked.platform, 0, 10).outcomes, ElementsAre(outcome));
}

TEST_P(BookingChanges, OfTheUnitAloneDoNotChangeTheOutcome) {
  const auto id = book("2027-04-01", "2027-05-01");
  const auto booked = reference_of(id);
  const auto before = store::find_outcome(session(), booked.platform, booked.reference);
  const auto newest = store::newest_outcome(session(), booked.platform);
  ASSERT_EQ(change(to_unit(id, unit_id(2), "2027-04-01", "2027-05-01")).result, office_result::changed);
  auto after = store::find_outcome(session(), booked.platform, booked.reference);
  EXPECT_EQ(after->booked->unit_id, unit_id(2)) << "which no partner sees";
  after->booked = before->booked;
  EXPECT_EQ(after, before);
  EXPECT_EQ(store::newest_outcome(session(), booked.platform), newest);
}

TEST_P(BookingChanges, OfBookingsMadeByHandHaveNoOutcome) {
  const auto id = made("2027-04-01", "2027-05-01");
  ASSERT_EQ(change(stay_on_other_dates(id, "2027-04-15", "2027-06-01")).result, office_result::changed);
  ASSERT_EQ(cancel(id).result, office_result::changed);
  EXPECT_EQ(store::newest_outcome(session(), "marketplace-a"), 0);
}

} // namespace roost::testing::booking_changes_test
