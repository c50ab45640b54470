#include "actors/runtime/ask.hpp"
#include "actors/runtime/runtime.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <future>

namespace roost::actors::ask_test {

struct twice {
  int value = 0;
};
struct refuse {};
struct ignore {};
struct pass_on {
  int value = 0;
};
struct nothing {};

using calculator = caf::typed_actor<caf::replies_to<twice>::with<int>, caf::replies_to<refuse>::with<int>,
                                    caf::replies_to<ignore>::with<int>, caf::replies_to<pass_on>::with<int>,
                                    caf::reacts_to<nothing>>;

} // namespace roost::actors::ask_test

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::ask_test::twice)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::ask_test::refuse)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::ask_test::ignore)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::ask_test::pass_on)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::ask_test::nothing)

namespace roost::actors::ask_test {
constexpr std::uint8_t refusal_code = 7;

calculator::behavior_type calculate(calculator::pointer self) {
  auto kept = std::make_shared<std::vector<caf::typed_response_promise<int>>>();
  return {
      [](const twice& message) { return message.value * 2; },
      [](const refuse&) -> caf::result<int> {
        return caf::error{refusal_code, caf::atom("test")};
      },
      [self, kept](const ignore&) -> caf::result<int> {
        kept->push_back(self->make_response_promise<int>()); // and never responds
        return kept->back();
      },
      [self](const pass_on& message) -> caf::result<int> {
        return self->delegate(calculator{self}, twice{message.value});
      },
      [](const nothing&) {},
  };
}

/// Runs with every policy.
class Asking : public ::testing::TestWithParam<const char*> {
protected:
  void start(std::size_t io_threads = 1) {
    scheduler_knobs knobs;
    knobs.policy = GetParam();
    knobs.io_threads = io_threads;
    knobs.max_threads = 2;
    knobs.ask_time_limit = std::chrono::milliseconds{100};
    knobs.asks_in_flight = 50;
    rt.emplace(knobs);
    actor = rt->spawn_at(0, calculate);
  }

  void TearDown() override {
    if (!rt) return;
    rt->close_ports();
    caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
    actor = nullptr;
  }

  template <typename Message>
  auto ask_from(std::size_t thread, Message message) {
    auto& io = rt->io_contexts()[thread].get();
    return asio::co_spawn(io, ask(actor, std::move(message)), asio::use_future);
  }

  template <typename Message>
  ask_failure failure_of(Message message) {
    try {
      ask_from(0, std::move(message)).get();
    } catch (const ask_error& failed) {
      reason = failed.reason();
      return failed.kind();
    }
    throw std::logic_error("there was a response");
  }

  std::optional<runtime> rt;
  calculator actor;
  caf::error reason;
};

INSTANTIATE_TEST_SUITE_P(UnderEachPolicy, Asking, ::testing::Values("asio", "stealing", "sharing"),
                         [](const auto& info) { return std::string{info.param}; });

TEST_P(Asking, ReturnsTheResponse) {
  start();
  EXPECT_EQ(ask_from(0, twice{21}).get(), 42);
}

TEST_P(Asking, ReturnsWhenAMessageWithoutAResponseIsHandled) {
  start();
  EXPECT_NO_THROW(ask_from(0, nothing{}).get());
}

TEST_P(Asking, FollowsADelegatedRequest) {
  start();
  EXPECT_EQ(ask_from(0, pass_on{4}).get(), 8);
}

TEST_P(Asking, PassesTheActorsErrorThrough) {
  start();
  EXPECT_EQ(failure_of(refuse{}), ask_failure::refused);
  EXPECT_EQ(reason.code(), refusal_code);
  EXPECT_EQ(reason.category(), caf::atom("test"));
}

TEST_P(Asking, EndsAtTheTimeLimitWithoutAResponse) {
  start();
  const auto started = std::chrono::steady_clock::now();
  EXPECT_EQ(failure_of(ignore{}), ask_failure::timed_out);
  EXPECT_FALSE(reason);
  EXPECT_GE(std::chrono::steady_clock::now() - started, std::chrono::milliseconds{100});
}

TEST_P(Asking, FailsWhenTheActorHasEnded) {
  start();
  caf::scoped_actor self{rt->system()};
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  self->wait_for(actor);
  EXPECT_EQ(failure_of(twice{1}), ask_failure::receiver_down);
}

TEST_P(Asking, FailsWhenTheActorEndsBeforeItResponds) {
  start();
  auto pending = ask_from(0, ignore{});
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  EXPECT_THROW(pending.get(), ask_error);
}

TEST_P(Asking, RefusesAboveTheCapInFlight) {
  start();
  std::vector<std::future<int>> waiting;
  for (int i = 0; i < 60; ++i) waiting.push_back(ask_from(0, ignore{}));
  int refused = 0;
  for (auto& one : waiting) {
    try {
      one.get();
    } catch (const ask_error& failed) {
      refused += failed.kind() == ask_failure::too_many;
    }
  }
  EXPECT_EQ(refused, 10);
}

TEST_P(Asking, FailsPendingAsksWhenThePortsClose) {
  start();
  auto pending = ask_from(0, ignore{});
  ask_from(0, twice{1}).get(); // the one before it has been sent
  rt->close_ports();
  try {
    pending.get();
    FAIL() << "there was a response";
  } catch (const ask_error& failed) {
    EXPECT_EQ(failed.kind(), ask_failure::closed);
  }
  EXPECT_EQ(failure_of(twice{1}), ask_failure::closed);
}

TEST_P(Asking, MatchesResponsesToRequestsOfSeveralThreads) {
  start(2);
  constexpr int rounds = 2000;
  const auto talk = [this](int from) -> asio::awaitable<int> {
    int right = 0;
    for (int i = 0; i < rounds; ++i) right += co_await ask(actor, twice{from + i}) == 2 * (from + i);
    co_return right;
  };
  std::vector<std::future<int>> talks;
  for (int t = 0; t < 8; ++t)
    talks.push_back(asio::co_spawn(rt->io_contexts()[t % 2].get(), talk(t * rounds), asio::use_future));
  for (auto& one : talks) EXPECT_EQ(one.get(), rounds);
  std::uint64_t counted = 0;
  for (const ask_counts& each : rt->asks()) counted += each.started;
  EXPECT_EQ(counted, 8U * rounds);
}

TEST_P(Asking, RefusesToAskOutsideAnIoThread) { EXPECT_THROW(current_port(), std::logic_error); }

TEST(Home, IsTheUnitOfAnActor) {
  scheduler_knobs knobs;
  knobs.io_threads = 3;
  runtime rt{knobs};
  const auto actor = rt.spawn_at(2, calculate);
  EXPECT_EQ(home::of(*caf::actor_cast<caf::abstract_actor*>(actor)), 2U);
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

TEST(Home, IsTheSameForAllActorsOfAnAccount) {
  scheduler_knobs knobs;
  knobs.io_threads = 3;
  runtime rt{knobs};
  const auto account = *domain::parse_uuid("0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001");
  EXPECT_EQ(rt.home_of(account), rt.home_of(account));
  EXPECT_LT(rt.home_of(account), 3U);
}

TEST(Runtime, RejectsAnUnknownPolicy) {
  scheduler_knobs knobs;
  knobs.policy = "round-robin";
  EXPECT_THROW(runtime{knobs}, std::invalid_argument);
}

} // namespace roost::actors::ask_test
