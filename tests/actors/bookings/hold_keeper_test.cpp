#include "actors/bookings/hold_keeper.hpp"
#include "actors/bookings/hold_scene.hpp"
#include "store/support/rejecting_trigger.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace roost::testing::hold_keeper_test {
using domain::refusal;
using domain::request_state;
using ::testing::ElementsAre;

class HoldKeeper : public hold_world {
protected:
  /// Books free nights of the first unit.
  void expect_free(unsigned number, const char* check_in, const char* check_out) {
    const std::vector requests{request(number, 1, check_in, check_out)};
    enqueue(requests);
    decide(requests);
    EXPECT_EQ(state_of(requests[0]), request_state::success);
  }
};
ROOST_ON_EACH_STORE(HoldKeeper);

TEST_P(HoldKeeper, RespondsOnceReadsShowTheNights) {
  const auto hold = hold_world::hold(1, 1, "2027-02-01", "2027-03-01");
  const auto receipt = place(hold).value();
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
  EXPECT_FALSE(shows_as_taken(2, "2027-02-28"));
  EXPECT_EQ(receipt.result, result::created);
  EXPECT_EQ(receipt.expires_at, hold.expires_at);
  EXPECT_EQ(holds("placed"), 1U);
}

TEST_P(HoldKeeper, ShowsThePreparationAsTaken) {
  placed(1, 1, "2027-02-01", "2027-03-01", 3);
  EXPECT_TRUE(shows_as_taken(1, "2027-03-03"));
}

TEST_P(HoldKeeper, ReturnsTheNightsThatAreTaken) {
  book_february();
  const auto receipt = place(hold(1, 1, "2027-01-20", "2027-02-03")).value();
  EXPECT_EQ(receipt.result, result::taken);
  EXPECT_THAT(receipt.taken, ElementsAre(domain::nights{day("2027-02-01"), day("2027-02-02")}));
  EXPECT_EQ(holds("placed"), 0U);
  EXPECT_EQ(holds("refused"), 1U);
  expect_free(2, "2027-01-20", "2027-02-01");
}

TEST_P(HoldKeeper, ReturnsTheFirstReceiptToARepeat) {
  const auto first = placed(1, 1, "2027-02-01", "2027-03-01");
  time_passed = 1min;
  const auto repeated = place(hold(1, 1, "2027-02-01", "2027-03-01")).value();
  EXPECT_EQ(repeated.result, result::repeated);
  EXPECT_EQ(repeated.expires_at, first.expires_at);
  EXPECT_EQ(holds("placed"), 1U);
  EXPECT_EQ(holds("refused"), 0U);
}

TEST_P(HoldKeeper, EndsAHoldWhenItExpires) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  time_passed = 15min - 1ms;
  wait_for_look();
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
  EXPECT_FALSE(has_ended(hold));
  time_passed = 15min;
  EXPECT_TRUE(eventually([&] { return !shows_as_taken(1, "2027-02-28"); }));
  EXPECT_TRUE(has_ended(hold));
  EXPECT_EQ(holds("expired"), 1U);
  EXPECT_EQ(place(hold).value().result, result::repeated);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28")) << "a repeat holds nothing";
  expect_free(1, "2027-02-01", "2027-03-01");
}

TEST_P(HoldKeeper, EndsAHoldThatExpiredWhileNoServerRan) {
  const auto expired = placed(1, 1, "2027-02-01", "2027-03-01"),
             unit_two = placed(2, 2, "2027-02-01", "2027-03-01");
  auto longer = hold(3, 3, "2027-02-01", "2027-03-01");
  longer.minutes = 30;
  longer.expires_at = longer.created_at + 30min;
  ASSERT_EQ(place(longer).value().result, result::created);
  time_passed = 20min;
  crash_with_holds();
  EXPECT_TRUE(
      eventually([&] { return !shows_as_taken(1, "2027-02-28") && !shows_as_taken(2, "2027-02-28"); }));
  EXPECT_TRUE(shows_as_taken(3, "2027-02-28"));
  EXPECT_TRUE(has_ended(expired));
  EXPECT_TRUE(has_ended(unit_two));
  EXPECT_FALSE(has_ended(longer));
}

TEST_P(HoldKeeper, KeepsAHoldAcrossACrash) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  crash_with_holds();
  wait_for_look();
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
  EXPECT_EQ(place(hold_world::hold(2, 1, "2027-02-10", "2027-02-12")).value().result, result::taken);
  EXPECT_EQ(release(hold), release_result::released);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(HoldKeeper, LooksOnceIfThereAreNoHolds) {
  ASSERT_TRUE(eventually([&] { return jobs("look_for_holds", "done") == 1; }));
  EXPECT_FALSE(eventually([&] { return jobs("look_for_holds", "done") > 1; }, 200ms)); // 20 intervals
  held->invalidate(); // the store may have another history
  caf::anon_send(follower, actors::poll_changes{});
  EXPECT_TRUE(eventually([&] { return jobs("look_for_holds", "done") == 2; }));
}

TEST_P(HoldKeeper, EndsNothingWithoutTheLease) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  held->give_up();
  const auto looks = jobs("look_for_holds", "done");
  time_passed = 1h;
  caf::scoped_actor self{rt.system()};
  caf::anon_send(keeper, actors::look_for_expired_holds{});
  wait_until_received(self, keeper);
  EXPECT_LE(jobs("look_for_holds", "done"), looks + 1) << "one look may have begun before";
  EXPECT_FALSE(has_ended(hold));
}

TEST_P(HoldKeeper, ReleasesAHoldOnceReadsShowTheNightsAsFree) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  EXPECT_EQ(release(hold), release_result::released);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
  EXPECT_EQ(release(hold), release_result::ended);
  EXPECT_EQ(holds("released"), 1U);
  EXPECT_EQ(release(hold_world::hold(2, 1, "2027-02-01", "2027-03-01")), release_result::unknown);
  expect_free(1, "2027-02-01", "2027-03-01");
}

TEST_P(HoldKeeper, DoesNotReleaseAHoldThatARequestHasClaimed) {
  const auto hold = placed(1, 1, "2027-02-01", "2027-03-01");
  submit(request(1, 1, "2027-02-01", "2027-03-01"), hold);
  EXPECT_EQ(release(hold), release_result::claimed);
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
  time_passed = 1h;
  wait_for_look();
  EXPECT_FALSE(has_ended(hold)) << "it does not expire any more";
  EXPECT_TRUE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(HoldKeeper, ReportsAHoldThatTheStoreRejectsAndLosesNoNights) {
  reject_rows(session(), "holds", "new.minutes = 7");
  auto rejected = hold(1, 1, "2027-02-01", "2027-03-01");
  rejected.minutes = 7;
  EXPECT_EQ(place(rejected), std::nullopt);
  EXPECT_TRUE(error);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
  placed(2, 1, "2027-02-01", "2027-03-01");
  EXPECT_EQ(holds("placed"), 1U);
}

TEST_P(HoldKeeper, RefusesWithoutTheLease) {
  held->give_up();
  const auto hold = hold_world::hold(1, 1, "2027-02-01", "2027-03-01");
  EXPECT_EQ(place(hold), std::nullopt);
  EXPECT_EQ(error, actors::storage_error::lease_lost);
  EXPECT_EQ(release(hold), std::nullopt);
}

TEST_P(HoldKeeper, WritesNothingWithALeaseThatAnotherServerHas) {
  auto other = store().open();
  store::release(other, lease);
  ASSERT_TRUE(eventually([&] { return store::try_acquire(other, "another server", 1h).has_value(); }));
  EXPECT_EQ(place(hold(1, 1, "2027-02-01", "2027-03-01")), std::nullopt);
  EXPECT_EQ(error, actors::storage_error::lease_lost);
  EXPECT_FALSE(shows_as_taken(1, "2027-02-28"));
}

TEST_P(HoldKeeper, LetsExactlyOneOfTwoConcurrentHoldsTakeTheNights) {
  const auto first = hold(1, 1, "2027-02-01", "2027-03-01"), second = hold(2, 1, "2027-02-28", "2027-03-10");
  caf::scoped_actor self{rt.system()};
  auto to_first = self->request(keeper, 20s, message_of(first));
  auto to_second = self->request(keeper, 20s, message_of(second));
  std::vector<result> results;
  const auto add = [&](const store::hold_receipt& receipt) { results.push_back(receipt.result); };
  const auto fail = [](const caf::error&) { ADD_FAILURE() << "an error"; };
  to_first.receive(add, fail);
  to_second.receive(add, fail);
  std::ranges::sort(results);
  EXPECT_THAT(results, ElementsAre(result::created, result::taken));
  EXPECT_NE(shows_as_taken(1, "2027-02-28"), shows_as_taken(1, "2027-03-09"));
}

TEST_P(HoldKeeper, LetsARequestWaitForAHoldThatIsBeingPlaced) {
  const std::vector requests{request(1, 1, "2027-02-10", "2027-02-20")};
  caf::scoped_actor self{rt.system()};
  std::optional<busy_lane> busy(std::in_place, storage->at(actors::storage_pool::side_lane::office));
  auto pending = self->request(keeper, 20s, message_of(hold(1, 1, "2027-02-01", "2027-03-01")));
  wait_until_received(self, keeper);
  wait_until_received(self, writer);
  wait_until_received(self, directory.get()->find(0, "u1")->calendar);
  enqueue(requests);
  run_queue();
  ASSERT_TRUE(eventually([&] { return jobs("pending_requests", "done") >= 1; }));
  EXPECT_EQ(state_of(requests[0]), request_state::pending);
  busy.reset();
  pending.receive([](const store::hold_receipt& receipt) { EXPECT_EQ(receipt.result, result::created); },
                  [](const caf::error&) { ADD_FAILURE() << "an error"; });
  decide(requests);
  expect_refused(requests[0], refusal::held_nights, {{day("2027-02-10"), day("2027-02-19")}});
  EXPECT_EQ(jobs("record_decisions", "failed"), 0U) << "memory knew the hold";
}

TEST_P(HoldKeeper, WaitsForADecisionThatIsBeingWritten) {
  const std::vector requests{request(1, 1, "2027-02-10", "2027-02-20")};
  enqueue(requests);
  caf::scoped_actor self{rt.system()};
  std::optional<busy_lane> busy(std::in_place, storage->at(actors::storage_pool::lane::decisions));
  run_queue();
  ASSERT_TRUE(eventually([&] { return jobs("pending_requests", "done") >= 1; }));
  wait_until_received(self, queue);
  wait_until_received(self, directory.get()->find(0, "u1")->calendar);
  auto pending = self->request(keeper, 20s, message_of(hold(1, 1, "2027-02-01", "2027-03-01")));
  wait_until_received(self, keeper);
  busy.reset();
  store::hold_receipt receipt;
  pending.receive([&](store::hold_receipt& placed) { receipt = std::move(placed); },
                  [](const caf::error&) { ADD_FAILURE() << "an error"; });
  decide(requests);
  if (state_of(requests[0]) == request_state::success) {
    EXPECT_EQ(receipt.result, result::taken);
    EXPECT_THAT(receipt.taken, ElementsAre(domain::nights{day("2027-02-10"), day("2027-02-19")}));
  } else {
    EXPECT_EQ(receipt.result, result::created);
    expect_refused(requests[0], refusal::held_nights, {{day("2027-02-10"), day("2027-02-19")}});
  }
}

/// Only PostgreSQL has connections that another client can end.
class HoldKeeperOverALostConnection : public hold_world {
protected:
  HoldKeeperOverALostConnection() { follower_interval = 10ms; } // it must read again what it has missed
};
ROOST_ON_POSTGRESQL(HoldKeeperOverALostConnection);

TEST_P(HoldKeeperOverALostConnection, HoldsNightsOrNotButLosesNone) {
  for (unsigned i = 1; i <= 10; ++i) {
    const auto hold = hold_world::hold(i, i, "2027-02-01", "2027-03-01");
    caf::scoped_actor self{rt.system()};
    auto pending = self->request(keeper, 20s, message_of(hold));
    store().cut_connections();
    std::optional<result> receipt;
    pending.receive([&](const store::hold_receipt& placed) { receipt = placed.result; },
                    [](const caf::error&) {});
    EXPECT_EQ(receipt.value_or(result::created), result::created);
    std::optional<store::hold_receipt> repeated;
    ASSERT_TRUE(eventually([&] { return (repeated = place(hold)).has_value(); }));
    EXPECT_TRUE(repeated->result == result::repeated || repeated->result == result::created);
    EXPECT_TRUE(shows_as_taken(i, "2027-02-28"));
  }
}

} // namespace roost::testing::hold_keeper_test
