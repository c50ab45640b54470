#include "actors/runtime/run_meter.hpp"
#include "actors/runtime/runtime.hpp"
#include "log/log.hpp"
#include "support/eventually.hpp"

#include <caf/all.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

/// A message with a recognizable name in the log.
struct roost_block_here {
  std::shared_ptr<std::atomic<bool>> until;
};
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost_block_here)

namespace roost::actors::run_watch_test {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

using blocker = caf::typed_actor<caf::reacts_to<roost_block_here>>;

/// A name for each test, because warnings are limited for each actor name in the whole process.
template <char Test>
struct blocker_state {
  static constexpr char text[] = {'b', 'l', 'o', 'c', 'k', 'e', 'r', '_', Test, '\0'};
  static constexpr const char* name = text;
};
struct lone_state {
  static constexpr const char* name = "lone_blocker";
};

/// Not inlined, so that its name is in the stack in every build.
[[gnu::noinline]] void block_thread(const std::atomic<bool>& until) {
  const auto give_up = std::chrono::steady_clock::now() + 20s;
  while (!until && std::chrono::steady_clock::now() < give_up) std::this_thread::sleep_for(1ms);
}

template <char Test>
blocker::behavior_type blocker_behavior(blocker::stateful_pointer<blocker_state<Test>>) {
  return {[](const roost_block_here& message) { block_thread(*message.until); }};
}

blocker::behavior_type lone_behavior(blocker::stateful_pointer<lone_state>) {
  return {[](const roost_block_here& message) { block_thread(*message.until); }};
}

std::uint64_t stalls() {
  std::uint64_t all = 0;
  meter::for_each_thread([&](run_thread& thread) { all += thread.stalls; });
  return all;
}

/// Waits until a stall has been counted, which happens after it was logged.
bool stalled_since(std::uint64_t before) {
  return roost::testing::eventually([&] { return stalls() > before; });
}

class RunWatch : public ::testing::TestWithParam<std::string> {
protected:
  RunWatch() : rt_(knobs()) { ::testing::internal::CaptureStderr(); }
  ~RunWatch() override { rt_.watch_runs(0s); }

  static scheduler_knobs knobs() {
    scheduler_knobs knobs;
    knobs.policy = GetParam();
    knobs.max_threads = 2;
    return knobs;
  }

  static std::string logged() {
    log::flush();
    return ::testing::internal::GetCapturedStderr();
  }

  runtime rt_;
};

INSTANTIATE_TEST_SUITE_P(Policies, RunWatch, ::testing::Values("asio", "stealing", "sharing"));

TEST_P(RunWatch, LogsASlowRunInProgressWithItsMessageAndStack) {
  rt_.watch_runs(20ms);
  const auto before = stalls();
  const auto until = std::make_shared<std::atomic<bool>>(false);
  const auto actor = rt_.spawn_at(0, blocker_behavior<'a'>);
  caf::anon_send(actor, roost_block_here{until});
  EXPECT_TRUE(stalled_since(before));
  *until = true;
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  const auto text = logged();
  EXPECT_THAT(text, AllOf(HasSubstr(" warn actor_run_slow actor=blocker_a message=roost_block_here thread="),
                          HasSubstr(GetParam() == "asio" ? "thread=io-0" : "thread=worker-")));
#if !defined(__SANITIZE_THREAD__) // it delays signals
  EXPECT_THAT(text, HasSubstr("block_thread"));
#endif
}

TEST_P(RunWatch, LogsARunThatEndedBetweenTwoPolls) {
  rt_.watch_runs(1ns); // polls are at least a millisecond apart
  const auto before = stalls();
  const auto actor = rt_.spawn_at(0, blocker_behavior<'b'>);
  caf::anon_send(actor, roost_block_here{std::make_shared<std::atomic<bool>>(true)});
  EXPECT_TRUE(stalled_since(before));
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  EXPECT_THAT(logged(), HasSubstr(" actor_run_slow actor=blocker_b"));
}

TEST_P(RunWatch, IgnoresActorsOnTheirOwnThreads) {
  rt_.watch_runs(20ms);
  const auto before = stalls();
  const auto until = std::make_shared<std::atomic<bool>>(false);
  const auto lone = rt_.spawn_detached(lone_behavior), shared = rt_.spawn_at(0, blocker_behavior<'c'>);
  caf::anon_send(lone, roost_block_here{until});
  caf::anon_send(shared, roost_block_here{until});
  EXPECT_TRUE(stalled_since(before)); // by the shared one
  *until = true;
  for (const auto& each : {lone, shared}) caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
  EXPECT_THAT(logged(), AllOf(HasSubstr("actor=blocker_c"), Not(HasSubstr("lone_blocker"))));
}

TEST_P(RunWatch, LogsNothingWhenDisabled) {
  const auto before = stalls();
  const auto actor = rt_.spawn_at(0, blocker_behavior<'d'>);
  caf::scoped_actor self{rt_.system()};
  caf::anon_send(actor, roost_block_here{std::make_shared<std::atomic<bool>>(true)});
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  self->wait_for(actor);
  EXPECT_EQ(stalls(), before);
  EXPECT_EQ(logged(), "");
}

TEST_P(RunWatch, LogsAHandlerThatBlocksItsThread) {
  rt_.watch_runs(20ms);
  const auto before = stalls();
  std::atomic<bool> until = false;
  std::promise<void> done;
  asio::post(rt_.io_contexts().front().get(), [&] {
    const auto started = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - started < 100ms) {
    } // uses processor time, so that the thread is probed
    block_thread(until);
    done.set_value();
  });
  EXPECT_TRUE(stalled_since(before));
  until = true;
  done.get_future().wait();
  EXPECT_THAT(logged(), HasSubstr(" warn thread_stalled thread=io-0 ms="));
}

} // namespace roost::actors::run_watch_test
