#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

/// SIGHUP: a running server applies changed settings and reports those that need a restart.
namespace roost::testing::reload_test {
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

ROOST_FOR_SQLITE(Reload);

TEST_P(Reload, AppliesChangesAndReportsKeysThatNeedARestart) {
  workplace place(GetParam());
  running_roost server(place);
  place.set("scheduler.slow_run", "\"1s\"");
  place.set("feeds.rebuild", "\"7m\"");
  server.process().send_signal(SIGHUP);
  const auto reload = server.wait_for_event("configuration_reloaded");
  EXPECT_EQ(reload.level, "info");
  EXPECT_EQ(reload.at("changed"), R"x(scheduler.slow_run = "1s" (was "100ms"))x");
  const auto warning = server.wait_for_event("configuration_needs_restart");
  EXPECT_EQ(warning.level, "warn");
  EXPECT_EQ(warning.at("keys"), "feeds.rebuild");
  EXPECT_TRUE(server.is_ready());
}

TEST_P(Reload, ReportsAKeyThatNeedsARestartUntilItIsReverted) {
  workplace place(GetParam());
  running_roost server(place);
  place.set("feeds.rebuild", "\"7m\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_event("configuration_needs_restart", {{"keys", "feeds.rebuild"}});
  place.set("log.level", "\"debug\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_event("configuration_reloaded", {{"changed", R"x(log.level = "debug" (was "info"))x"}});
  place.set("feeds.rebuild", "\"10m\"");
  place.set("log.level", "\"info\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_event("configuration_reloaded", {{"changed", R"x(log.level = "info" (was "debug"))x"}});
  EXPECT_EQ(server.stop(), 0);
  std::vector<std::string> names;
  for (const auto& each : server.events())
    if (each.name.starts_with("configuration_")) names.push_back(each.name);
  EXPECT_THAT(names,
              ElementsAre("configuration_reloaded", "configuration_needs_restart", "configuration_reloaded",
                          "configuration_needs_restart", "configuration_reloaded"));
}

TEST_P(Reload, ChangesNothingAndReportsTheErrorsOfAnInvalidConfiguration) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  running_roost server(place);
  place.set("log.level", "\"error\"");
  place.set("scheduler.slow_run", "\"soon\"");
  server.process().send_signal(SIGHUP);
  const auto refusal = server.wait_for_event("configuration_refused");
  EXPECT_EQ(refusal.level, "error");
  EXPECT_THAT(refusal.at("problems"), HasSubstr("scheduler.slow_run"));
  EXPECT_EQ(server.stop(), 0);
  EXPECT_THAT(server.log(), Not(HasSubstr("configuration_reloaded")));
  EXPECT_THAT(server.log(), HasSubstr(" info stopped")); // at the previous level
}

TEST_P(Reload, TogglesTheMetricsOfActors) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.set("metrics.actors", "\"off\"");
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  const std::string messages = R"(roost_actor_messages_total{actor="unit_calendar"})";
  partner.get("/listings/u1");
  EXPECT_EQ(server.metric(messages), 0);
  place.set("metrics.actors", "\"on\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_event("configuration_reloaded");
  partner.get("/listings/u1");
  EXPECT_TRUE(eventually([&] { return server.metric(messages).value_or(0) >= 1; }));
}

TEST_P(Reload, ChangesTheThresholdOfSlowRuns) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  place.set("scheduler.slow_run", "\"1us\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_event("configuration_reloaded");
  partner.get("/listings/u1");
  const auto slow = server.wait_for_event("actor_run_slow", {{"thread", "io-0"}});
  EXPECT_EQ(slow.level, "warn");
  EXPECT_NE(slow.at("message"), "");
}

TEST_P(Reload, AppliesOnlyTheKeysOfItsOwnScheduler) {
  struct key_of_policy {
    std::string policy, key, value;
  };
  const std::vector<key_of_policy> keys{{"asio", "scheduler.max_throughput", "7"},
                                        {"stealing", "scheduler.relaxed_sleep_duration", "\"3ms\""}};
  for (const auto& own : keys) {
    workplace place(GetParam());
    place.set("scheduler.policy", '"' + own.policy + '"');
    running_roost server(place);
    for (const auto& each : keys) place.set(each.key, each.value);
    server.process().send_signal(SIGHUP);
    const auto other = own.policy == "asio" ? keys[1].key : keys[0].key;
    EXPECT_THAT(server.wait_for_event("configuration_reloaded").at("changed"), StartsWith(own.key + " = "));
    EXPECT_EQ(server.wait_for_event("configuration_needs_restart").at("keys"), other);
    EXPECT_TRUE(server.is_ready());
  }
}

TEST_P(Reload, ReportsAnUnchangedConfiguration) {
  const workplace place(GetParam());
  running_roost server(place);
  server.process().send_signal(SIGHUP);
  server.wait_for_event("configuration_reloaded", {{"changed", "nothing"}});
}

/// A server in the foreground of a terminal, as run by `script/server`.
class TerminalReload : public ::testing::Test {
protected:
  workplace place_{store_kind::sqlite};
  running_roost server_{place_, started::serving, {}, {}, true};
};

TEST_F(TerminalReload, DoesNotHappenWhenTheTerminalIsClosed) {
  server_.process().close_terminal();
  EXPECT_EQ(server_.process().wait_for_end(running_roost::stop_timeout), 0);
  EXPECT_EQ(server_.wait_for_event("stopping", {{"signal", "SIGHUP"}}).at("what"), "the terminal was closed");
  server_.wait_for_event("lease_released");
  server_.wait_for_event("stopped");
}

TEST_F(TerminalReload, HappensWhileTheTerminalIsOpen) {
  server_.process().send_signal(SIGHUP);
  server_.wait_for_event("configuration_reloaded");
  EXPECT_EQ(server_.stop(), 0);
}

} // namespace roost::testing::reload_test
