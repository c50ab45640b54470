#include "actors/support/booking_world.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/bookings/stay_changes.hpp"
#include "store/support/rejecting_trigger.hpp"
#include "store/support/sample_stay_change.hpp"

#include <gtest/gtest.h>

/// Changes of stays whose decisions the database rejects.
namespace roost::testing::rejected_changes_test {
using domain::request_state;
using store::stay_change_state;

class RejectedChanges : public booking_world {
protected:
  /// Books the first unit for February, and requests nights of March that a later request wants, too.
  void SetUp() override {
    booking_world::SetUp();
    const auto booked = request(1, 1, "2027-02-01", "2027-03-01");
    enqueue({booked});
    run_to_end();
    change_ = sample_stay_change(booked.platform, *booked.reference, "one", "2027-02-01", "2027-03-10");
    ASSERT_EQ(store::put_stay_change(session(), lease, change_, day("2026-11-20")).result,
              store::stay_change_receipt::kind::created);
    enqueue({later_});
    reject_changes(session(), "stay_changes", "state", "new.state <> 'pending'");
  }

  stay_change_state state_of_change() {
    return store::find_stay_change(session(), change_.platform, change_.reference, change_.id).value().state;
  }

  store::stay_change change_;
  const domain::booking_request later_ = request(2, 1, "2027-03-05", "2027-04-01");
};
ROOST_ON_EACH_STORE(RejectedChanges);

TEST_P(RejectedChanges, HoldBackLaterRequestsUntilTheyAreDecided) {
  for (int i = 0; i < 3; ++i) run_to_end();
  EXPECT_EQ(state_of_change(), stay_change_state::pending);
  EXPECT_EQ(state_of(later_), request_state::pending);
  accept_changes(session(), "stay_changes");
  run_to_end();
  EXPECT_EQ(state_of_change(), stay_change_state::applied);
  EXPECT_EQ(state_of(later_), request_state::failed);
}

TEST_P(RejectedChanges, LetLaterRequestsGoOnAfterTenRuns) {
  for (int i = 0; i < 9; ++i) run_to_end();
  EXPECT_EQ(state_of(later_), request_state::pending);
  run_to_end();
  EXPECT_EQ(state_of(later_), request_state::success);
  EXPECT_EQ(state_of_change(), stay_change_state::pending);
  accept_changes(session(), "stay_changes");
  run_to_end();
  EXPECT_EQ(state_of_change(), stay_change_state::refused) << "its nights are taken now";
}

} // namespace roost::testing::rejected_changes_test
