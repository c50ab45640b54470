#include "actors/runtime/runtime.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <future>

namespace roost::testing::spawned_actor_test {

using namespace std::chrono_literals;

using victim = caf::typed_actor<caf::reacts_to<int>>;

struct victim_state {
  static constexpr const char* name = "victim";
};

victim::behavior_type victim_behavior(victim::stateful_pointer<victim_state>) {
  return {[](int failure) {
    if (failure == 1) throw std::runtime_error("a defect");
    if (failure == 2) throw 2; // NOLINT(hicpp-exception-baseclass): throwing a non-exception is under test
  }};
}

victim::behavior_type failing_at_start_behavior(victim::stateful_pointer<victim_state>) {
  throw std::runtime_error("failed to start");
}

class ActorFailure : public ::testing::Test {
protected:
  std::string reported() {
    auto report = report_.get_future();
    return report.wait_for(15s) == std::future_status::ready ? report.get() : "nothing";
  }

  actors::runtime rt{actors::scheduler_knobs{}, [this](std::string_view actor, std::string_view error) {
                       report_.set_value(std::string{actor} + ": " + std::string{error});
                     }};

private:
  std::promise<std::string> report_;
};

TEST_F(ActorFailure, IsReportedWithItsErrorOnAnIoThread) {
  caf::anon_send(rt.spawn_at(0, victim_behavior), 1);
  EXPECT_EQ(reported(), "victim: a defect");
}

TEST_F(ActorFailure, IsReportedForADetachedActor) {
  caf::anon_send(rt.spawn_detached(victim_behavior), 1);
  EXPECT_EQ(reported(), "victim: a defect");
}

TEST_F(ActorFailure, IsReportedForAThrownNonException) {
  caf::anon_send(rt.spawn_at(0, victim_behavior), 2);
  EXPECT_EQ(reported(), "victim: an exception of unknown type");
}

TEST_F(ActorFailure, IsReportedAtTheStart) {
  caf::anon_send(rt.spawn_at(0, failing_at_start_behavior), 0);
  EXPECT_EQ(reported(), "victim: failed to start");
}

TEST_F(ActorFailure, IsReportedForAnUnexpectedError) {
  caf::anon_send(caf::actor_cast<caf::actor>(rt.spawn_at(0, victim_behavior)),
                 caf::make_error(caf::sec::runtime_error));
  EXPECT_EQ(reported(), "victim: an unexpected error");
}

TEST_F(ActorFailure, IsNotReportedForAnActorThatIsSentAnExit) {
  const auto ended = rt.spawn_at(0, victim_behavior);
  caf::anon_send_exit(ended, caf::exit_reason::user_shutdown);
  caf::scoped_actor self{rt.system()};
  self->wait_for(ended);
  caf::anon_send(rt.spawn_at(0, victim_behavior), 1);
  EXPECT_EQ(reported(), "victim: a defect") << "the first report concerns the second actor";
}

TEST(ActorFailureInAServer, EndsTheProcessImmediatelyWithOneLogLine) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        actors::runtime rt{actors::scheduler_knobs{}};
        caf::anon_send(rt.spawn_at(0, victim_behavior), 1);
        std::promise<void>().get_future().wait(); // nothing else ends it
      },
      ::testing::ExitedWithCode(actors::actor_failure_status),
      R"(^[^ ]+ error actor_failed actor=victim what="a defect")");
}

} // namespace roost::testing::spawned_actor_test
