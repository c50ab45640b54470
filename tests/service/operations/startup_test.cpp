#include "service/support/json_text.hpp"
#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/store_faults.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

/// Starting and stopping a server.
namespace roost::testing::startup_test {
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ROOST_FOR_EACH_STORE(Startup);
ROOST_FOR_SQLITE(ServerProcess);

TEST_P(Startup, CreatesTheStoreAndSecrets) {
  workplace place(GetParam(), false);
  running_roost server(place);
  EXPECT_EQ(server.partner_of("marketplace-a").get("/listings").body, "[]");
  EXPECT_EQ(std::filesystem::status(place.folder() / "secrets.toml").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(server.stop(), 0);
  EXPECT_THAT(server.process().lines().back(), HasSubstr(" info stopped"));
}

TEST_P(Startup, ServesAnImportedPortfolio) {
  workplace place(GetParam());
  place.import(portfolio_of(2));
  const running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  EXPECT_EQ(array_size(partner.get("/listings").body), 2U);
  EXPECT_EQ(partner.get("/listings/u1").status, 200U);
}

TEST_P(ServerProcess, IsReadyOnceEveryListIsBuilt) {
  workplace place(GetParam());
  place.import(portfolio_of(1500));
  const auto token = place.issue_token("student-housing"); // the last of the shared platforms
  const running_roost server(place);
  const auto list = partner(server.port(), "student-housing", token).get("/listings");
  EXPECT_EQ(list.status, 200U);
  EXPECT_EQ(array_size(list.body), 1500U);
}

TEST_P(ServerProcess, AllowsAnOrderlyStopByBothSignals) {
  for (const int signal : {SIGTERM, SIGINT}) {
    workplace place(GetParam());
    running_roost server(place);
    server.process().send_signal(signal);
    EXPECT_EQ(server.process().wait_for_end(5s), 0);
    EXPECT_THAT(server.log(),
                HasSubstr(signal == SIGTERM ? "stopping signal=SIGTERM" : "stopping signal=SIGINT"));
  }
}

TEST_P(Startup, CompletesRequestsInFlightBeforeTheServerStops) {
  workplace place(GetParam());
  place.set("bookings.cycle", "\"1h\"");
  place.import(portfolio_of(1));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  raw_client sent(server.port()), idle(server.port());
  EXPECT_EQ(idle.exchange(to_request("GET", "/nope")).status, 404U);
  std::optional<write_block> block(place.store());
  sent.send(partner.post_text("/bookings", booking("u1", 30, 60)));
  EXPECT_TRUE(
      eventually([&] { return server.metric(R"(roost_http_requests_in_flight{listener="public"})") == 1; }));
  server.process().send_signal(SIGTERM);
  EXPECT_TRUE(idle.is_closed_within(5s)); // it has no request in flight
  EXPECT_THROW(raw_client{server.port()}, std::runtime_error);
  block.reset();
  const auto response = sent.receive();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 201U);
  EXPECT_EQ(response->header("connection"), "close");
  EXPECT_EQ(server.process().wait_for_end(5s), 0);

  EXPECT_THAT(store_rows(place.store().open(), "select state from booking_requests", 1), ElementsAre("New"));
}

TEST_P(ServerProcess, LimitsTheWaitForClientsAtShutdown) {
  workplace place(GetParam());
  place.set("server.drain_timeout", "\"200ms\"");
  place.import(portfolio_of(large_list_units));
  running_roost server(place);
  const auto partner = server.partner_of("marketplace-a");
  raw_client slow(server.port(), 4096);
  slow.send(partner.get_text("/listings"));
  ASSERT_TRUE(slow.read_some());
  server.process().send_signal(SIGTERM);
  EXPECT_EQ(server.process().wait_for_end(5s), 0);
  EXPECT_THAT(server.log(), HasSubstr(" drain_incomplete"));
}

TEST_P(ServerProcess, SupportsEveryScheduler) {
  for (const auto* policy : {"asio", "stealing", "sharing"}) {
    workplace place(GetParam());
    place.set("scheduler.policy", '"' + std::string(policy) + '"');
    place.import(portfolio_of(1));
    running_roost server(place);
    const auto partner = server.partner_of("marketplace-a");
    EXPECT_EQ(partner.get("/listings/u1").status, 200U) << policy;
    EXPECT_EQ(partner.post("/bookings", booking("u1", 30, 60)).status, 201U) << policy;
    server.wait_for_event("booking_created");
    EXPECT_EQ(server.stop(), 0) << policy;
  }
}

TEST_P(ServerProcess, WarnsOfSettingsWithoutEffect) {
  workplace place(GetParam());
  place.set("scheduler.moderate_sleep_duration", "\"70us\"");
  place.set("scheduler.max_throughput", "9");
  running_roost server(place);
  const auto warnings = server.events("setting_without_effect"); // complete: it listens by now
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].level, "warn");
  EXPECT_EQ(warnings[0].at("key"), "scheduler.moderate_sleep_duration");
  EXPECT_EQ(warnings[0].at("why"), "only policy stealing uses it");
}

TEST_P(ServerProcess, FailsWithOneLineWhenAnAddressIsInUse) {
  workplace place(GetParam());
  const running_roost first(place);
  for (const auto* section : {"server", "ops"}) {
    const auto taken = "127.0.0.1:" + std::to_string(*section == 's' ? first.port() : first.ops_port());
    const auto second = place.run({"serve", "--set", std::string(section) + ".listen=" + taken});
    EXPECT_EQ(second.status, 1);
    EXPECT_THAT(second.errors, AllOf(HasSubstr("roost: "), HasSubstr(taken)));
  }
}

} // namespace roost::testing::startup_test
