#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

/// SIGHUP: a running server takes over what can change, and says what cannot.
namespace roost::testing::reload_test {
using ::testing::HasSubstr;
using ::testing::Not;

ROOST_FOR_EACH_STORE(Reload);

TEST_P(Reload, TakesOverWhatCanChangeAndNamesWhatNeedsARestart) {
  workplace place(GetParam());
  running_roost server(place);
  place.set("scheduler.slow_run", "\"1s\"");
  place.set("feeds.rebuild", "\"7m\"");
  server.process().send_signal(SIGHUP);
  EXPECT_THAT(server.wait_for_log({" info configuration_reloaded "}),
              HasSubstr(R"x(changed="scheduler.slow_run = \"1s\" (was \"100ms\")")x"));
  EXPECT_THAT(server.wait_for_log({" warn configuration_needs_restart "}), HasSubstr("keys=feeds.rebuild"));
  EXPECT_TRUE(server.is_ready());
}

TEST_P(Reload, NamesAKeyThatNeedsARestartAgainUntilItIsSetBack) {
  workplace place(GetParam());
  running_roost server(place);
  place.set("feeds.rebuild", "\"7m\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_log({" configuration_needs_restart keys=feeds.rebuild"});
  place.set("log.level", "\"debug\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_log({" configuration_reloaded changed=\"log.level = "});
  place.set("feeds.rebuild", "\"10m\"");
  place.set("log.level", "\"info\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_log({R"(log.level = \"info\" (was \"debug\"))"});
  EXPECT_EQ(server.stop(), 0);
  const auto log = server.log();
  const auto last = log.rfind("configuration_reloaded");
  EXPECT_NE(log.find("configuration_needs_restart", log.find("log.level")), std::string::npos);
  EXPECT_EQ(log.find("configuration_needs_restart", last), std::string::npos);
}

TEST_P(Reload, ChangesNothingWhenTheConfigurationIsWrongAndSaysWhy) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  running_roost server(place);
  place.set("log.level", "\"error\"");
  place.set("scheduler.slow_run", "\"soon\"");
  server.process().send_signal(SIGHUP);
  EXPECT_THAT(server.wait_for_log({" error configuration_refused "}), HasSubstr("scheduler.slow_run"));
  EXPECT_EQ(server.stop(), 0);
  EXPECT_THAT(server.log(), Not(HasSubstr("configuration_reloaded")));
  EXPECT_THAT(server.log(), HasSubstr(" info stopped")); // the level is the old one
}

TEST_P(Reload, SwitchesTheMetricsOfActors) {
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
  server.wait_for_log({" configuration_reloaded "});
  partner.get("/listings/u1");
  EXPECT_TRUE(eventually([&] { return server.metric(messages).value_or(0) >= 1; }));
}

TEST_P(Reload, LogsEveryTurnThatIsLongerThanAMicrosecondOnceItIsTold) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  place.set("scheduler.slow_run", "\"1us\"");
  server.process().send_signal(SIGHUP);
  server.wait_for_log({" configuration_reloaded "});
  partner.get("/listings/u1");
  EXPECT_THAT(server.wait_for_log({" warn actor_run_slow ", " thread=io-0 "}), HasSubstr(" message="));
}

} // namespace roost::testing::reload_test
