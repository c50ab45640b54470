#include "actors/bookings/hold_scene.hpp"
#include "store/database/connection.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

/// The booking queue and the nights that platforms hold.
namespace roost::testing::held_requests_test {
using domain::nights;
using domain::refusal;
using domain::request_state;

class HeldRequests : public hold_world {
protected:
  /// Memory follows the store by itself, because a decision does not wait until reads show the end of a hold.
  HeldRequests() { follower_interval = 10ms; }

  domain::booking_request submitted(unsigned number, unsigned unit, const char* check_in,
                                    const char* check_out) {
    auto submitted = request(number, unit, check_in, check_out);
    enqueue({submitted});
    return submitted;
  }

  /// Submits a request that claims a hold.
  domain::booking_request claiming(const store::hold& hold, unsigned number, unsigned unit,
                                   const char* check_in, const char* check_out) {
    auto claiming = request(number, unit, check_in, check_out);
    submit(claiming, hold);
    return claiming;
  }

  /// Returns the nights that the only booking of a request takes.
  nights booked(const domain::booking_request& request) {
    const auto stays = booked_stays(session(), std::vector{request.id});
    EXPECT_EQ(stays.size(), 1U);
    return stays.empty() ? nights{} : stays[0].blocked;
  }

  void expect_shown_as_free(unsigned unit, const std::string& last_night) {
    EXPECT_TRUE(eventually([&] { return !shows_as_taken(unit, last_night); }));
  }

  void expect_booked(const domain::booking_request& request) {
    EXPECT_EQ(state_of(request), request_state::success);
  }
};
ROOST_ON_EACH_STORE(HeldRequests);

TEST_P(HeldRequests, AreBookedOnTheNightsThatTheyHaveClaimed) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  const auto other = submitted(1, 1, "2027-02-10", "2027-02-20");
  const auto claimed = claiming(hold, 2, 1, "2027-02-01", "2027-03-01");
  EXPECT_TRUE(is_claimed(hold));
  run_to_end();
  expect_refused(other, refusal::held_nights, {{day("2027-02-10"), day("2027-02-19")}});
  expect_booked(claimed);
  EXPECT_EQ(booked(claimed), (nights{day("2027-02-01"), day("2027-02-28")}));
  EXPECT_TRUE(has_ended(hold));
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28")) << "by the booking";
  const auto later = submitted(3, 1, "2027-02-28", "2027-03-05");
  run_to_end();
  expect_refused(later, refusal::overlapping_nights, {{day("2027-02-28"), day("2027-02-28")}});
  EXPECT_EQ(jobs("record_decisions", "failed"), 0U) << "memory knew the nights";
}

TEST_P(HeldRequests, AreNotBookedOnNightsThatAnotherRequestHasClaimed) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  const auto claimed = claiming(hold, 1, 1, "2027-02-01", "2027-03-01"),
             second = claiming(hold, 2, 1, "2027-02-01", "2027-03-01");
  run_to_end();
  expect_booked(claimed);
  expect_refused(second, refusal::overlapping_nights, {{day("2027-02-01"), day("2027-02-28")}});
}

TEST_P(HeldRequests, OfAnotherPlatformAreRefused) {
  placed(1, 1, "2027-02-01", "2027-03-01");
  auto other = request(1, 1, "2027-02-28", "2027-03-10");
  other.platform = "landlord-one";
  other.external_id = domain::to_string(unit_id(1));
  enqueue({other});
  run_to_end();
  expect_refused(other, refusal::held_nights, {{day("2027-02-28"), day("2027-02-28")}});
}

TEST_P(HeldRequests, MayBeShorterThanTheHold) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  const auto shorter = claiming(hold, 1, 1, "2027-02-10", "2027-02-20");
  run_to_end();
  expect_booked(shorter);
  EXPECT_TRUE(has_ended(hold));
  expect_shown_as_free(1, "2027-02-28");
  const auto before = submitted(2, 1, "2027-02-01", "2027-02-10"),
             after = submitted(3, 1, "2027-02-20", "2027-03-01");
  run_to_end();
  expect_booked(before);
  expect_booked(after);
}

TEST_P(HeldRequests, MayBeLongerThanTheHold) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  const auto longer = claiming(hold, 1, 1, "2027-01-20", "2027-03-10");
  run_to_end();
  expect_booked(longer);
  EXPECT_EQ(booked(longer), (nights{day("2027-01-20"), day("2027-03-09")}));
}

TEST_P(HeldRequests, AreRefusedIfFurtherNightsAreBooked) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  const auto next = submitted(1, 1, "2027-03-01", "2027-03-05");
  const auto longer = claiming(hold, 2, 1, "2027-02-01", "2027-03-10");
  run_to_end();
  expect_booked(next);
  expect_refused(longer, refusal::overlapping_nights, {{day("2027-03-01"), day("2027-03-04")}});
  EXPECT_TRUE(has_ended(hold));
  expect_shown_as_free(1, "2027-02-28");
  const auto later = submitted(3, 1, "2027-02-01", "2027-03-01");
  run_to_end();
  expect_booked(later);
}

TEST_P(HeldRequests, AreRefusedIfFurtherNightsAreHeld) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01"), next = placed(2, 1, "2027-03-01", "2027-03-05");
  const auto longer = claiming(hold, 2, 1, "2027-02-01", "2027-03-10");
  run_to_end();
  expect_refused(longer, refusal::held_nights, {{day("2027-03-01"), day("2027-03-04")}});
  EXPECT_TRUE(has_ended(hold));
  EXPECT_FALSE(has_ended(next));
}

TEST_P(HeldRequests, AreRefusedBecauseOfBookingsIfHoldsAndBookingsTakeNights) {
  placed(1, 1, "2027-02-01", "2027-02-10");
  const auto next = submitted(1, 1, "2027-02-20", "2027-03-01");
  const auto both = submitted(2, 1, "2027-02-05", "2027-02-25");
  run_to_end();
  expect_booked(next);
  expect_refused(both, refusal::overlapping_nights,
                 {{day("2027-02-05"), day("2027-02-09")}, {day("2027-02-20"), day("2027-02-24")}});
}

TEST_P(HeldRequests, ThatAreRefusedFreeTheNights) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  auto unpaid = request(1, 1, "2027-02-01", "2027-03-01");
  unpaid.provider_payment.reset();
  submit(unpaid, hold);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
  run_to_end();
  expect_refused(unpaid, refusal::provider_payment_missing, {});
  EXPECT_TRUE(has_ended(hold));
  expect_shown_as_free(1, "2027-02-28");
  const auto later = submitted(2, 1, "2027-02-01", "2027-03-01");
  run_to_end();
  expect_booked(later);
}

TEST_P(HeldRequests, ThatAreRepeatsFreeTheNights) {
  const auto first = submitted(1, 2, "2027-02-01", "2027-03-01");
  run_to_end();
  expect_booked(first);
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  auto repeat = request(2, 1, "2027-02-01", "2027-03-01");
  submit(repeat, hold);
  // As if the reference of an import or a webhook had arrived in between.
  session().internals().script("test_repeat", "update booking_requests set reference = '" + *first.reference +
                                                  "' where id = '" + domain::to_string(repeat.id) + "'");
  run_to_end();
  EXPECT_EQ(state_of(repeat), request_state::dropped);
  EXPECT_TRUE(has_ended(hold));
  expect_shown_as_free(1, "2027-02-28");
}

TEST_P(HeldRequests, ForAnotherUnitClaimNothing) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  const auto elsewhere = claiming(hold, 1, 2, "2027-02-01", "2027-03-01");
  EXPECT_FALSE(is_claimed(hold));
  run_to_end();
  expect_booked(elsewhere);
  EXPECT_FALSE(has_ended(hold));
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(HeldRequests, ClaimNoHoldThatHasEnded) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  time_passed = 15min;
  ASSERT_TRUE(eventually([&] { return has_ended(hold) && !shows_as_taken(1, "2027-02-28"); }));
  const auto late = claiming(hold, 1, 1, "2027-02-01", "2027-03-01");
  EXPECT_FALSE(is_claimed(hold));
  run_to_end();
  expect_booked(late);
}

TEST_P(HeldRequests, ThatWaitForLongKeepTheirNights) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  time_passed = 15min - 1ms;
  const auto claimed = claiming(hold, 1, 1, "2027-02-01", "2027-03-01");
  time_passed = 24h;
  wait_for_look();
  const auto other = submitted(2, 1, "2027-02-01", "2027-03-01");
  run_to_end();
  expect_booked(claimed);
  expect_refused(other, refusal::overlapping_nights, {{day("2027-02-01"), day("2027-02-28")}});
}

TEST_P(HeldRequests, KeepTheirNightsAcrossACrash) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  const auto other = submitted(1, 1, "2027-02-01", "2027-03-01");
  const auto claimed = claiming(hold, 2, 1, "2027-02-01", "2027-03-01");
  time_passed = 1h;
  crash_with_holds();
  placed(3, 2, "2027-02-01", "2027-03-01"); // as long as there are holds, the actor looks for expired ones
  wait_for_look();
  decide({other, claimed});
  expect_refused(other, refusal::held_nights, {{day("2027-02-01"), day("2027-02-28")}});
  expect_booked(claimed);
}

/// A hold takes the nights of the preparation after its stay, too.
TEST_P(HeldRequests, AreRefusedOnNightsOfPreparation) {
  auto file = sample();
  file.accounts[0].properties[0].units[0].terms.preparation_days = 3;
  import_elsewhere(file);
  placed(2, 2, "2027-02-01", "2027-02-02"); // memory has followed the import
  const auto hold = placed(1, 1, "2027-02-01", "2027-02-10", 3);
  const auto in_preparation = submitted(1, 1, "2027-02-11", "2027-02-20");
  const auto claimed = claiming(hold, 2, 1, "2027-02-01", "2027-02-10");
  run_to_end();
  expect_refused(in_preparation, refusal::held_nights, {{day("2027-02-11"), day("2027-02-12")}});
  expect_booked(claimed);
  EXPECT_EQ(booked(claimed), (nights{day("2027-02-01"), day("2027-02-12")}));
}

TEST_P(HeldRequests, OfOneGroupAreDecidedInOrder) {
  std::vector<domain::booking_request> claimed, refused;
  for (unsigned unit = 1; unit <= units; ++unit) {
    refused.push_back(submitted(unit, unit, "2027-02-10", "2027-02-20"));
    claimed.push_back(claiming(placed(unit, unit, "2027-02-01", "2027-03-01"), 100 + unit, unit, "2027-02-01",
                               "2027-03-01"));
  }
  run_to_end();
  for (const auto& each : claimed) expect_booked(each);
  for (const auto& each : refused)
    expect_refused(each, refusal::held_nights, {{day("2027-02-10"), day("2027-02-19")}});
  EXPECT_EQ(jobs("record_decisions", "failed"), 0U);
}

} // namespace roost::testing::held_requests_test
