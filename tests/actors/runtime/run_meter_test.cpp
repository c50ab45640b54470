#include "actors/runtime/runtime_metrics.hpp"
#include "support/eventually.hpp"

#include <caf/all.hpp>
#include <gtest/gtest.h>

#include <future>

/// Measurements of actor runs, with every scheduler.
namespace roost::actors::run_meter_test {

using namespace std::chrono_literals;
using roost::testing::eventually;

using counted = caf::typed_actor<caf::replies_to<int>::with<int>>;

template <int Which>
struct counted_state {
  static constexpr const char* name = Which == 0 ? "counted_on_pool" : "counted_alone";
};

template <int Which>
counted::behavior_type counted_behavior(counted::stateful_pointer<counted_state<Which>>) {
  return {[](int value) { return value; }};
}

using gate = caf::typed_actor<caf::reacts_to<int>>;

struct gate_state {
  static constexpr const char* name = "gate";
};

/// Reports when it handles message 0, and blocks there until `until` is set.
gate::behavior_type gate_behavior(gate::stateful_pointer<gate_state>,
                                  std::shared_ptr<std::promise<void>> started,
                                  std::shared_future<void> until) {
  return {[started, until](int number) {
    if (number != 0) return;
    started->set_value();
    until.wait();
  }};
}

struct pair_state {
  static constexpr const char* name = "pair";
};

/// Blocks its thread until another actor has run, which is in this thread's queue.
gate::behavior_type pair_behavior(gate::stateful_pointer<pair_state> self,
                                  std::shared_ptr<std::promise<void>> done) {
  return {[self, done](int) {
    const auto ran = std::make_shared<std::promise<void>>();
    const auto other = self->spawn(
        [ran](gate::pointer) -> gate::behavior_type { return {[ran](int) { ran->set_value(); }}; });
    self->send(other, 1);
    ran->get_future().wait_for(10s);
    done->set_value();
  }};
}

type_reading read_type(const std::string& name) {
  const auto all = read_types();
  const auto type = all.find(name);
  return type == all.end() ? type_reading{} : type->second;
}

std::uint64_t runs_of(const type_reading& read) {
  std::uint64_t all = 0;
  for (const auto count : read.runs.counts) all += count;
  return all;
}

/// Enables measurement during its lifetime.
class measuring {
public:
  measuring() { meter::set_measuring(true); }
  ~measuring() { meter::set_measuring(false); }
  measuring(const measuring&) = delete;
  measuring& operator=(const measuring&) = delete;
};

class RunMeter : public ::testing::TestWithParam<std::string> {
protected:
  static scheduler_knobs knobs() {
    scheduler_knobs knobs;
    knobs.policy = GetParam();
    knobs.max_threads = 2;
    return knobs;
  }

  static void ask(runtime& rt, const counted& actor, int times) {
    caf::scoped_actor self{rt.system()};
    for (int i = 0; i < times; ++i)
      self->request(actor, 10s, i)
          .receive([&](int response) { EXPECT_EQ(response, i); }, [](const caf::error&) { FAIL(); });
  }
};

INSTANTIATE_TEST_SUITE_P(Policies, RunMeter, ::testing::Values("asio", "stealing", "sharing"));

TEST_P(RunMeter, CountsRunsAndMessagesByTheNameOfTheState) {
  const measuring on;
  runtime rt{knobs()};
  const auto before = read_type("counted_on_pool");
  const auto actor = rt.spawn_at(0, counted_behavior<0>);
  ask(rt, actor, 100);
  EXPECT_EQ(read_type("counted_on_pool").alive, before.alive + 1);
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  EXPECT_TRUE(eventually([&] { return read_type("counted_on_pool").messages - before.messages == 101; }));
  const auto after = read_type("counted_on_pool");
  EXPECT_GE(runs_of(after) - runs_of(before), 1U);
  EXPECT_LE(runs_of(after) - runs_of(before), 103U);
  EXPECT_GT(after.runs.sum, before.runs.sum);
}

TEST_P(RunMeter, CountsAnActorOnItsOwnThread) {
  const measuring on;
  runtime rt{knobs()};
  const auto before = read_type("counted_alone");
  const auto actor = rt.spawn_detached(counted_behavior<1>);
  ask(rt, actor, 10);
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  EXPECT_TRUE(eventually([&] { return read_type("counted_alone").messages - before.messages == 11; }));
  EXPECT_FALSE(read_threads().at("counted_alone").is_scheduled);
}

TEST_P(RunMeter, SamplesMailboxWaits) {
  const measuring on;
  runtime rt{knobs()};
  const auto before = read_type("counted_on_pool");
  const auto actor = rt.spawn_at(0, counted_behavior<0>);
  ask(rt, actor, 640);
  const auto waits = [](const type_reading& read) {
    std::uint64_t all = 0;
    for (const auto count : read.waits.counts) all += count;
    return all;
  };
  EXPECT_GE(waits(read_type("counted_on_pool")) - waits(before), 1U);
  EXPECT_LE(waits(read_type("counted_on_pool")) - waits(before), 20U);
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

TEST_P(RunMeter, CountsNothingWhenDisabled) {
  meter::set_measuring(false);
  runtime rt{knobs()};
  const auto before = read_type("counted_on_pool");
  const auto actor = rt.spawn_at(0, counted_behavior<0>);
  ask(rt, actor, 100);
  EXPECT_EQ(read_type("counted_on_pool").messages, before.messages);
  EXPECT_EQ(runs_of(read_type("counted_on_pool")), runs_of(before));
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

TEST_P(RunMeter, CountsTheRunsOfEachThreadAndItsProcessorTime) {
  runtime rt{knobs()};
  const auto runs = [] {
    std::uint64_t all = 0;
    for (const auto& [name, read] : read_threads())
      if (read.is_scheduled) all += read.runs;
    return all;
  };
  const auto before = runs();
  const auto actor = rt.spawn_at(0, counted_behavior<0>);
  ask(rt, actor, 100);
  EXPECT_GE(runs(), before + 1);
  const auto threads = read_threads();
  const std::string pool =
      GetParam() == "asio" ? "io-" : "worker-"; // any of its threads may have run the actor
  EXPECT_TRUE(std::ranges::any_of(threads, [&](const auto& each) {
    const auto& [name, read] = each;
    return name.starts_with(pool) && read.is_scheduled && read.runs > 0 && read.processor_time.count() > 0;
  }));
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

TEST_P(RunMeter, ReportsTheLargestMailboxIncludingTheMessageTaken) {
  const measuring on;
  runtime rt{knobs()};
  const auto started = std::make_shared<std::promise<void>>();
  std::promise<void> hold;
  const auto actor = rt.spawn_at(0, gate_behavior, started, hold.get_future().share());
  read_type("gate"); // resets the maximum of other tests in this process
  caf::anon_send(actor, 0);
  started->get_future().wait();
  for (int i = 1; i <= 500; ++i) caf::anon_send(actor, i);
  const auto earlier = read_type("gate").messages;
  hold.set_value();
  std::uint32_t deepest = 0;
  EXPECT_TRUE(eventually([&] {
    const auto now = read_type("gate");
    deepest = std::max(deepest, now.deepest);
    return now.messages >= earlier + 501 && deepest >= 500;
  }));
  EXPECT_EQ(deepest, 500U); // message 0 had been taken before they arrived
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

TEST(DurationTally, CountsABoundInItsBucketAndLargerDurationsInTheNext) {
  duration_tally tally;
  tally.add(std::chrono::nanoseconds{duration_tally::bounds[0]});
  tally.add(std::chrono::nanoseconds{duration_tally::bounds[0] + 1});
  tally.add(1h);
  EXPECT_EQ(tally.in_bucket(0), 1U);
  EXPECT_EQ(tally.in_bucket(1), 1U);
  EXPECT_EQ(tally.in_bucket(duration_tally::buckets - 1), 1U);
  EXPECT_EQ(tally.sum(), 1h + 20'001ns);
}

TEST(Stealing, IsCountedWhenAnIdleThreadTakesAnotherThreadsWork) {
  scheduler_knobs knobs;
  knobs.policy = "stealing";
  knobs.max_threads = 2;
  runtime rt{knobs};
  const auto steals = [] {
    std::uint64_t all = 0;
    for (const auto& [name, read] : read_threads()) all += read.steals;
    return all;
  };
  const auto before = steals();
  const auto done = std::make_shared<std::promise<void>>();
  auto ended = done->get_future();
  const auto actor = rt.spawn_at(0, pair_behavior, done);
  caf::anon_send(actor, 1);
  ASSERT_EQ(ended.wait_for(20s), std::future_status::ready);
  EXPECT_GT(steals(), before);
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

} // namespace roost::actors::run_meter_test
