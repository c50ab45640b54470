#include "config/reader.hpp"
#include "top/view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

/// Each line of advice begins with the configuration key to tune.
namespace roost::top::advice_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> advice(const view& figures, const std::string& now = "") {
  const auto before = samples::parse(""), later = samples::parse(now);
  return advice_on(figures, change{before, later, 1});
}

view with_thread(const thread_row& thread) {
  view figures;
  figures.threads.push_back(thread);
  return figures;
}

view with_wait(const std::string& thread, double runs, double wait) {
  auto figures = with_thread({thread, 0.02});
  actor_row actor{"unit_calendar"};
  actor.runs = runs;
  actor.wait.p99 = wait;
  figures.actors.push_back(actor);
  return figures;
}

TEST(Advice, IsEmptyForAHealthyServer) {
  EXPECT_THAT(advice({}), IsEmpty());
  EXPECT_THAT(advice(with_thread({"io-0", 0.8})), IsEmpty());
  EXPECT_THAT(advice(with_wait("io-0", 100, 0.009)), IsEmpty());
}

TEST(Advice, SuggestsMoreThreadsWhenOneUsesAWholeCore) {
  EXPECT_THAT(advice(with_thread({"io-0", 0.9})), ElementsAre(StartsWith("server.io_threads: ")));
  EXPECT_THAT(advice(with_thread({"worker-1", 0.9, 0.9, 1000})), ElementsAre(StartsWith("scheduler.max")));
}

TEST(Advice, PointsToTheLogWhenThreadsStall) {
  auto figures = with_thread({"io-0", 0.1});
  figures.threads[0].stalls = 2;
  EXPECT_THAT(advice(figures), ElementsAre(StartsWith("scheduler.slow_run: 2 stalls")));
}

TEST(Advice, SuggestsShorterRunsWhenMessagesWait) {
  EXPECT_THAT(advice(with_wait("io-0", 100, 0.02)), ElementsAre(StartsWith("scheduler.max")));
}

TEST(Advice, SuggestsShorterSleepsWhenIdleWorkersWakeUpTooLate) {
  EXPECT_THAT(advice(with_wait("worker-0", 10, 0.02)), ElementsAre(StartsWith("scheduler.relaxed")));
}

TEST(Advice, SuggestsLongerSleepsWhenIdleWorkersUseTheCpu) {
  EXPECT_THAT(advice(with_thread({"worker-0", 0.2})), ElementsAre(StartsWith("scheduler.relaxed")));
  EXPECT_THAT(advice(with_thread({"io-0", 0.2})), IsEmpty());
}

TEST(Advice, SuggestsMoreSessionsWhenJobsWaitAndALaneIsMissing) {
  view figures;
  lane_row lane{"decisions"};
  lane.wait.p99 = 0.2;
  figures.lanes.push_back(lane);
  EXPECT_THAT(advice(figures), ElementsAre(StartsWith("store.sessions: ")));
  figures.lanes.push_back({"reads_and_mail"});
  EXPECT_THAT(advice(figures, "roost_store_lane_jobs_total 1\n"),
              ElementsAre(StartsWith("the store's disk")));
}

TEST(Advice, NamesTheLimitThatRejectsRequests) {
  EXPECT_THAT(advice({}, "roost_http_refused_requests_total{listener=\"public\",limit=\"in_flight\"} 3\n"),
              ElementsAre(StartsWith("server.max_in_flight: ")));
  EXPECT_THAT(advice({}, "roost_http_refused_requests_total{listener=\"public\",limit=\"waiting\"} 3\n"),
              ElementsAre(StartsWith("server.max_waiting: ")));
  EXPECT_THAT(advice({}, "roost_http_refused_connections_total{listener=\"public\"} 3\n"),
              ElementsAre(StartsWith("server.max_connections: ")));
  EXPECT_THAT(advice({}, "roost_password_hashing_refused_total 3\n"),
              ElementsAre(StartsWith("sessions.hashing_threads: ")));
}

TEST(Advice, NamesOnlyExistingKeys) {
  auto everything = with_wait("worker-0", 10, 0.02);
  everything.threads = {{"io-0", 0.9}, {"worker-0", 0.2}};
  std::vector<std::string> lines = advice(everything, "roost_password_hashing_refused_total 3\n");
  for (const auto& view : {with_wait("io-0", 100, 0.02), with_wait("worker-0", 10, 0.02),
                           with_thread({"worker-0", 0.9}), with_thread({"worker-0", 0.2})})
    for (const auto& line : advice(view)) lines.push_back(line);
  ASSERT_GE(lines.size(), 6U);
  for (const auto& line : lines) {
    const auto key = line.substr(0, line.find(':'));
    EXPECT_TRUE(std::ranges::any_of(config::setting_rules(), [&](const auto& rule) {
      return rule.name() == key;
    })) << line;
  }
}

} // namespace roost::top::advice_test
