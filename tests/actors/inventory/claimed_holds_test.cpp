#include "actors/inventory/calendar_scene.hpp"

#include <gmock/gmock.h>

#include <utility>
#include <vector>

/// Requests for nights that platforms hold, in a unit's calendar.
namespace roost::actors::claimed_holds_test {
using domain::nights;
using domain::refusal;
using testing::day;
using ::testing::ElementsAre;
using testing::numbered_id;

class ClaimedHolds : public testing::calendar_scene {
protected:
  ClaimedHolds() {
    create({block(february, "2027-02-01", "2027-02-28"), block(april, "2027-04-01", "2027-04-30"),
            block(booked, "2027-06-01", "2027-06-30", domain::block_source::booking)});
  }

  static domain::block block(const domain::uuid& id, const char* first, const char* last,
                             domain::block_source source = domain::block_source::hold) {
    domain::block block;
    block.id = id;
    block.nights = {day(first), day(last)};
    block.source = source;
    return block;
  }

  static inline const domain::uuid february = numbered_id(1), april = numbered_id(2), booked = numbered_id(3);
};

TEST_F(ClaimedHolds, AreShownAsTaken) {
  EXPECT_TRUE(shows(R"("from":"2027-02-01","to":"2027-02-28")"));
  EXPECT_TRUE(exports("DTSTART;VALUE=DATE:20270201"));
  const auto quoted = quote("2027-02-28", "2027-03-05");
  EXPECT_THAT(quoted.decision.refusals, ElementsAre(refusal::held_nights));
  EXPECT_THAT(quoted.decision.taken, ElementsAre(nights{day("2027-02-28"), day("2027-02-28")}));
}

TEST_F(ClaimedHolds, AreTakenForOtherRequests) {
  const auto refused = reserve_nights("2027-02-20", "2027-03-05");
  EXPECT_EQ(refused.refused, refusal::held_nights);
  EXPECT_THAT(refused.taken, ElementsAre(nights{day("2027-02-20"), day("2027-02-28")}));
  EXPECT_EQ(reserve_nights("2027-02-20", "2027-03-05", 2, april).refused, refusal::held_nights)
      << "of a request with another hold";
  EXPECT_FALSE(reserve_nights("2027-03-01", "2027-04-01", 3).refused) << "between the holds";
}

TEST_F(ClaimedHolds, AreFreeForTheirRequest) {
  const auto reserved = reserve_nights("2027-02-01", "2027-03-01", 1, february);
  EXPECT_FALSE(reserved.refused);
  EXPECT_EQ(reserved.held.nights, (nights{day("2027-02-01"), day("2027-02-28")}));
  EXPECT_EQ(reserve_nights("2027-02-10", "2027-02-20", 2, february).refused, refusal::overlapping_nights)
      << "once they are reserved";
}

TEST_F(ClaimedHolds, AreFreeForAShorterOrLongerStay) {
  EXPECT_FALSE(reserve_nights("2027-02-10", "2027-02-20", 1, february).refused);
  settle(1, hold_outcome::given_up);
  EXPECT_FALSE(reserve_nights("2027-01-20", "2027-03-10", 2, february).refused);
}

TEST_F(ClaimedHolds, DoNotMakeOtherNightsFree) {
  const auto held = reserve_nights("2027-02-10", "2027-04-02", 1, february);
  EXPECT_EQ(held.refused, refusal::held_nights);
  EXPECT_THAT(held.taken, ElementsAre(nights{day("2027-04-01"), day("2027-04-01")}));
  const auto taken = reserve_nights("2027-02-10", "2027-06-02", 2, february);
  EXPECT_EQ(taken.refused, refusal::overlapping_nights);
  EXPECT_THAT(taken.taken, ElementsAre(nights{day("2027-04-01"), day("2027-04-30")},
                                       nights{day("2027-06-01"), day("2027-06-01")}));
}

TEST_F(ClaimedHolds, AreRefusedBecauseOfABookingIfThereIsOne) {
  EXPECT_EQ(reserve_nights("2027-04-20", "2027-06-02").refused, refusal::overlapping_nights);
  EXPECT_EQ(reserve_nights("2027-04-20", "2027-06-01").refused, refusal::held_nights);
}

/// An import may sell nights that a platform holds.
TEST_F(ClaimedHolds, AreNotFreeIfABlockCoversThem) {
  auto blocks = std::vector{block(february, "2027-02-01", "2027-02-28"),
                            block(numbered_id(4), "2027-02-10", "2027-02-12", domain::block_source::channel)};
  caf::anon_send(calendar, update_unit{setup(), std::move(blocks)});
  const auto refused = reserve_nights("2027-02-01", "2027-03-01", 1, february);
  EXPECT_EQ(refused.refused, refusal::overlapping_nights);
  EXPECT_THAT(refused.taken, ElementsAre(nights{day("2027-02-10"), day("2027-02-12")}));
}

TEST_F(ClaimedHolds, AreFreeForAllOnceTheStoreHasThemNoMore) {
  caf::anon_send(calendar, update_unit{setup(), {}});
  EXPECT_TRUE(shows("2027-02-28")) << "an update of the unit keeps holds";
  caf::anon_send(calendar, show_holds{});
  EXPECT_FALSE(shows("2027-02-28"));
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01").refused);
}

TEST_F(ClaimedHolds, ThatEndAsABookingStayTaken) {
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 1, february).refused);
  settle(1, hold_outcome::booked);
  EXPECT_TRUE(shows("2027-02-28"));
  caf::anon_send(calendar, show_holds{}); // its decision has ended the hold
  EXPECT_TRUE(shows("2027-02-28"));
  EXPECT_EQ(reserve_nights("2027-02-10", "2027-02-12", 2).refused, refusal::overlapping_nights);
}

/// The store may be ahead of what the calendar knows.
TEST_F(ClaimedHolds, EndOnceTheBookingThatTakesThemOverIsShown) {
  const auto reserved = reserve_nights("2027-02-01", "2027-02-11", 1, february);
  ASSERT_FALSE(reserved.refused);
  caf::anon_send(calendar, learn_stay{reserved.held});
  EXPECT_TRUE(shows(R"("from":"2027-02-01","to":"2027-02-10")")) << "the booking";
  caf::anon_send(calendar, show_holds{{block(april, "2027-04-01", "2027-04-30")}});
  EXPECT_TRUE(shows(R"("from":"2027-02-01","to":"2027-02-10")"));
  EXPECT_FALSE(shows("2027-02-28"));
  settle(1, hold_outcome::booked);
  EXPECT_TRUE(shows("2027-02-10"));
  settle(1, hold_outcome::cancelled);
  EXPECT_FALSE(shows("2027-02-10"));
}

TEST_F(ClaimedHolds, OfAWithdrawnRequestEndWhileItIsBeingDecided) {
  ASSERT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 1, february).refused);
  caf::anon_send(calendar, show_holds{});
  settle(1, hold_outcome::given_up);
  EXPECT_FALSE(shows("2027-02-28"));
  EXPECT_FALSE(reserve_nights("2027-02-01", "2027-03-01", 2).refused);
}

} // namespace roost::actors::claimed_holds_test
