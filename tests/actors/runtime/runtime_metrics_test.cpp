#include "actors/runtime/runtime_metrics.hpp"
#include "support/eventually.hpp"
#include "support/metric_value.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <caf/all.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

/// Metrics of actors, threads and asks.
namespace roost::actors::runtime_metrics_test {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct respond {};
struct never {};

} // namespace roost::actors::runtime_metrics_test

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::runtime_metrics_test::respond)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::runtime_metrics_test::never)

namespace roost::actors::runtime_metrics_test {

using shown = caf::typed_actor<caf::replies_to<respond>::with<int>, caf::replies_to<never>::with<int>>;

struct shown_state {
  static constexpr const char* name = "shown";
  std::vector<caf::typed_response_promise<int>> kept;
};

shown::behavior_type shown_behavior(shown::stateful_pointer<shown_state> self) {
  return {[](const respond&) { return 1; },
          [self](const never&) {
            self->state.kept.push_back(self->make_response_promise<int>());
            return self->state.kept.back();
          }};
}

class RuntimeMetrics : public ::testing::TestWithParam<std::string> {
protected:
  RuntimeMetrics() { meter::set_measuring(true); }
  ~RuntimeMetrics() override { meter::set_measuring(false); }

  static scheduler_knobs knobs() {
    scheduler_knobs knobs;
    knobs.policy = GetParam();
    knobs.max_threads = 2;
    knobs.ask_time_limit = 20ms;
    return knobs;
  }

  std::string scrape() {
    metrics_.collect();
    return registry_.scrape();
  }

  template <typename Message>
  bool responds(const shown& to) {
    auto response = asio::co_spawn(
        rt_.io_contexts().front().get(),
        [](shown actor) -> asio::awaitable<int> { co_return co_await ask(actor, Message{}); }(to),
        asio::use_future);
    try {
      return response.get() == 1;
    } catch (const ask_error&) {
      return false;
    }
  }

  runtime rt_{knobs()};
  metrics::registry registry_;
  runtime_metrics metrics_{rt_, registry_};
};

INSTANTIATE_TEST_SUITE_P(Policies, RuntimeMetrics, ::testing::Values("asio", "stealing", "sharing"));

TEST_P(RuntimeMetrics, ExistFromTheStart) {
  asio::post(rt_.io_contexts().front().get(), asio::use_future([] {})).get(); // the thread has started
  const auto text = scrape();
  for (const auto* line : {"\nroost_asks_total 0\n", "\nroost_ask_failures_total{reason=\"timed_out\"} 0\n",
                           "\nroost_ask_failures_total{reason=\"too_many\"} 0\n",
                           "\nroost_asks_in_flight 0\n", "\nroost_scheduler_stalls_total{thread=\"io-0\"} "})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text,
              HasSubstr(GetParam() == "asio"       ? "roost_scheduler_queue_depth{thread=\"io-0\"} 0"
                        : GetParam() == "stealing" ? "roost_scheduler_queue_depth{thread=\"worker-1\"} 0"
                                                   : "roost_scheduler_queue_depth{thread=\"shared\"} 0"));
}

TEST_P(RuntimeMetrics, CountAsksAndTheirOutcomes) {
  const auto actor = rt_.spawn_at(0, shown_behavior);
  EXPECT_TRUE(responds<respond>(actor));
  EXPECT_FALSE(responds<never>(actor));
  EXPECT_THAT(scrape(), AllOf(HasSubstr("\nroost_asks_total 2\n"),
                              HasSubstr("\nroost_ask_failures_total{reason=\"timed_out\"} 1\n"),
                              HasSubstr("\nroost_asks_in_flight 0\n")));
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

TEST_P(RuntimeMetrics, ShowActorTypesOnceTheyExist) {
  const auto actor = rt_.spawn_at(0, shown_behavior);
  EXPECT_TRUE(responds<respond>(actor));
  // The run that has responded may not have been counted yet.
  EXPECT_TRUE(testing::eventually(
      [&] { return scrape().find("\nroost_actors{actor=\"shown\"} ") != std::string::npos; }));
  EXPECT_THAT(scrape(), AllOf(HasSubstr("\nroost_actors{actor=\"shown\"} "),
                              HasSubstr("\nroost_actor_messages_total{actor=\"shown\"} "),
                              HasSubstr("roost_actor_run_seconds_bucket{actor=\"shown\",le=\"0.1\"} "),
                              HasSubstr("\nroost_actor_mailbox_depth_max{actor=\"shown\"} ")));
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

TEST_P(RuntimeMetrics, ExportFewerBucketsThanAreMeasured) {
  const auto actor = rt_.spawn_at(0, shown_behavior);
  EXPECT_TRUE(responds<respond>(actor));
  const auto text = scrape();
  const auto runs = [&](const std::string& suffix) {
    return roost::testing::metric_value(text, "roost_actor_run_seconds" + suffix);
  };
  for (const auto* bound : {"0.0001", "0.001", "0.01", "0.1", "+Inf"})
    EXPECT_THAT(text, HasSubstr("roost_actor_run_seconds_bucket{actor=\"shown\",le=\"" + std::string{bound} +
                                "\"} "));
  for (const auto* bound : {"1e-05", "1", "10"})
    EXPECT_THAT(text, Not(HasSubstr("roost_actor_run_seconds_bucket{actor=\"shown\",le=\"" +
                                    std::string{bound} + "\"} ")));
  EXPECT_GE(runs("_count{actor=\"shown\"}"), 1);
  EXPECT_EQ(runs("_bucket{actor=\"shown\",le=\"+Inf\"}"), runs("_count{actor=\"shown\"}"));
  caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
}

} // namespace roost::actors::runtime_metrics_test
