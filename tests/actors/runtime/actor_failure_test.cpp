#include "actors/runtime/runtime.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <future>

namespace roost::testing::actor_failure_test {

using namespace std::chrono_literals;

using victim = caf::typed_actor<caf::reacts_to<int>>;

struct victim_state {
  static constexpr const char* name = "victim";
};

victim::behavior_type victim_behavior(victim::stateful_pointer<victim_state>) {
  return {[](int wanted) {
    if (wanted == 1) throw std::runtime_error("a defect");
    if (wanted == 2) throw 2; // NOLINT(hicpp-exception-baseclass): that it is none is the case under test
  }};
}

victim::behavior_type stillborn_behavior(victim::stateful_pointer<victim_state>) {
  throw std::runtime_error("not born");
}

/// The names and reasons of what failed.
class ActorFailure : public ::testing::Test {
protected:
  std::string reported() {
    auto told = told_.get_future();
    return told.wait_for(15s) == std::future_status::ready ? told.get() : "nothing";
  }

  actors::runtime rt{actors::scheduler_knobs{}, [this](std::string_view actor, std::string_view why) {
                       told_.set_value(std::string{actor} + ": " + std::string{why});
                     }};

private:
  std::promise<std::string> told_;
};

TEST_F(ActorFailure, OfAnActorOnAnIoThreadIsReportedWithItsReason) {
  caf::anon_send(rt.spawn_at(0, victim_behavior), 1);
  EXPECT_EQ(reported(), "victim: a defect");
}

TEST_F(ActorFailure, OfADetachedActorIsReported) {
  caf::anon_send(rt.spawn_detached(victim_behavior), 1);
  EXPECT_EQ(reported(), "victim: a defect");
}

TEST_F(ActorFailure, ByWhatIsNoExceptionIsReported) {
  caf::anon_send(rt.spawn_at(0, victim_behavior), 2);
  EXPECT_EQ(reported(), "victim: an exception of no known kind");
}

TEST_F(ActorFailure, AtTheStartIsReported) {
  caf::anon_send(rt.spawn_at(0, stillborn_behavior), 0);
  EXPECT_EQ(reported(), "victim: not born");
}

TEST_F(ActorFailure, ByAnErrorThatNobodyExpectsIsReported) {
  caf::anon_send(caf::actor_cast<caf::actor>(rt.spawn_at(0, victim_behavior)),
                 caf::make_error(caf::sec::runtime_error));
  EXPECT_EQ(reported(), "victim: an error that nobody expects");
}

TEST_F(ActorFailure, IsNotWhatAnActorEndsByThatIsToldTo) {
  const auto told_to = rt.spawn_at(0, victim_behavior);
  caf::anon_send_exit(told_to, caf::exit_reason::user_shutdown);
  caf::scoped_actor self{rt.system()};
  self->wait_for(told_to);
  caf::anon_send(rt.spawn_at(0, victim_behavior), 1);
  EXPECT_EQ(reported(), "victim: a defect") << "the first report is of the second one";
}

TEST(ActorFailureInAServer, EndsTheProcessAtOnceWithOneLogLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        actors::runtime rt{actors::scheduler_knobs{}};
        caf::anon_send(rt.spawn_at(0, victim_behavior), 1);
        std::promise<void>().get_future().wait(); // nothing else ends it
      },
      ::testing::ExitedWithCode(actors::ended_by_actor_failure),
      R"(^[^ ]+ error actor_failed actor=victim what="a defect")");
}

} // namespace roost::testing::actor_failure_test
