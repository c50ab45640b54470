#include "actors/bookings/outcome_watch.hpp"
#include "actors/support/booking_world.hpp"
#include "store/bookings/outcomes.hpp"
#include "store/support/cancelled_stays.hpp"

#include <gtest/gtest.h>

namespace roost::testing::outcome_watch_test {

class OutcomeWatch : public booking_world {
protected:
  void SetUp() override {
    booking_world::SetUp();
    setup.storage = storage->at(actors::storage_pool::lane::reads_and_mail);
    setup.lease = held;
    setup.interval = 5ms;
    setup.max_wait = 20s;
    spawn();
  }

  void TearDown() override {
    end_watch();
    booking_world::TearDown();
  }

  void spawn() { watch = actors::spawn_outcome_watch(rt, setup); }
  void end_watch() {
    caf::anon_send_exit(watch, caf::exit_reason::user_shutdown);
    watch = nullptr;
  }

  auto await(std::int64_t after, const std::string& platform = "marketplace-a",
             std::chrono::milliseconds max_wait = 20s, const std::string& reference = {}) {
    return self->request(watch, 30s, actors::await_outcomes{platform, reference, after, max_wait});
  }

  template <typename Handle>
  std::optional<std::int64_t> position_in(Handle pending) {
    std::optional<std::int64_t> position;
    pending.receive([&](const actors::outcomes_reached& reached) { position = reached.position; },
                    [](const caf::error&) {});
    return position;
  }

  actors::outcome_watch_setup setup;
  actors::outcome_watch watch;
  caf::scoped_actor self{rt.system()};
};
ROOST_ON_EACH_STORE(OutcomeWatch);

TEST_P(OutcomeWatch, RespondsOnceARequestIsDecided) {
  auto pending = await(0);
  book_february();
  EXPECT_EQ(position_in(std::move(pending)), 1);
}

TEST_P(OutcomeWatch, RespondsOnceABookingIsCancelledByAnotherProcess) {
  const auto booking = book_february();
  auto pending = await(1);
  auto other = store().open();
  cancel_stay(other, booking);
  EXPECT_EQ(position_in(std::move(pending)), 2);
}

TEST_P(OutcomeWatch, RespondsImmediatelyIfTheOutcomeHasChangedBefore) {
  book_february();
  EXPECT_EQ(position_in(await(0)), 1);
}

TEST_P(OutcomeWatch, DoesNotRespondToOutcomesOfOtherPlatforms) {
  auto of_other = await(0, "marketplace-b", 100ms);
  book_february();
  EXPECT_EQ(position_in(await(0)), 1);
  EXPECT_EQ(position_in(std::move(of_other)), 0) << "its wait has timed out";
}

TEST_P(OutcomeWatch, RespondsOnlyToTheReferenceThatARequestWaitsFor) {
  auto of_other = await(0, "marketplace-a", 20s, "another");
  auto pending = await(0, "marketplace-a", 20s, domain::to_string(numbered_id(0x200001)));
  book_february();
  EXPECT_EQ(position_in(std::move(pending)), 1);
  EXPECT_EQ(position_in(await(1, "marketplace-a", 50ms)), 1) << "after more reads of the positions";
  caf::anon_send(watch, actors::end_outcome_waits{});
  EXPECT_FALSE(position_in(std::move(of_other))) << "it waited until the end";
}

TEST_P(OutcomeWatch, FailsTheWaitsWithoutTheLease) {
  auto pending = await(0);
  held->give_up();
  EXPECT_FALSE(position_in(std::move(pending)));
  EXPECT_FALSE(position_in(await(0)));
}

TEST_P(OutcomeWatch, LimitsTheWait) {
  end_watch();
  setup.max_wait = 10ms;
  spawn();
  EXPECT_EQ(position_in(await(0)), 0);
}

TEST_P(OutcomeWatch, ServesManyWaitsWithOneReadAtATime) {
  std::vector<decltype(await(0))> pending;
  for (int i = 0; i < 100; ++i) pending.push_back(await(0));
  book_february();
  for (auto& each : pending) EXPECT_EQ(position_in(std::move(each)), 1);
}

TEST_P(OutcomeWatch, FailsTheWaitsAtItsEnd) {
  auto pending = await(0);
  caf::anon_send(watch, actors::end_outcome_waits{});
  EXPECT_FALSE(position_in(std::move(pending)));
  EXPECT_FALSE(position_in(await(0)));
}

} // namespace roost::testing::outcome_watch_test
