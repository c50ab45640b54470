#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

/// Warnings and metrics of expiring partner tokens. For the certificate see tls_test.cpp.
namespace roost::testing::expiries_test {
using ::testing::AllOf;
using ::testing::HasSubstr;

ROOST_FOR_EACH_STORE(TokenExpirations);

std::optional<double> expiration_metric(const running_roost& server, const std::string& platform) {
  return server.metric("roost_partner_token_expiration_timestamp_seconds{platform=\"" + platform + "\"}");
}

double from_now(std::chrono::hours time) {
  return std::chrono::duration<double>((std::chrono::system_clock::now() + time).time_since_epoch()).count();
}

TEST_P(TokenExpirations, AreReportedPerPlatformAndInfiniteWithoutAToken) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.issue_token("marketplace-a", {"--ttl", "365d"});
  place.issue_token("marketplace-a", {"--ttl", "30d"});
  const running_roost server(place);
  EXPECT_NEAR(expiration_metric(server, "marketplace-a").value_or(0), from_now(std::chrono::days{30}), 120);
  EXPECT_TRUE(std::isinf(expiration_metric(server, "marketplace-b").value_or(0)));

  place.issue_token("marketplace-a", {"--ttl", "90d", "--replace"});
  EXPECT_NEAR(expiration_metric(server, "marketplace-a").value_or(0), from_now(std::chrono::days{90}), 120);
}

TEST_P(TokenExpirations, AreWarnedOfAtStartupAndForNewTokens) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.issue_token("marketplace-a", {"--ttl", "22d"});
  place.issue_token("marketplace-b", {"--ttl", "20d"});
  running_roost server(place);
  const auto at_startup = server.wait_for_event("token_expires", {{"platform", "marketplace-b"}});
  EXPECT_EQ(at_startup.level, "warn");
  EXPECT_EQ(at_startup.at("days"), "19");
  place.issue_token("marketplace-c", {"--ttl", "1h"});
  EXPECT_EQ(server.wait_for_event("token_expires", {{"platform", "marketplace-c"}}).at("days"), "0");
  std::vector<std::string> platforms;
  for (const auto& warning : server.events("token_expires")) platforms.push_back(warning.at("platform"));
  EXPECT_THAT(platforms, ::testing::ElementsAre("marketplace-b", "marketplace-c")); // once a day
}

TEST_P(TokenExpirations, AreReportedUntilTheLastTokenIsReplacedOrRevoked) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.issue_token("marketplace-a", {"--ttl", "1s"});
  place.issue_token("marketplace-b", {"--ttl", "1s"});
  EXPECT_TRUE(eventually([&] { return place.run({"doctor"}).status == 1; }));
  EXPECT_THAT(place.run({"doctor"}).output, AllOf(HasSubstr("the last one of marketplace-a expired at "),
                                                  HasSubstr("`roost token issue --platform marketplace-a`")));
  running_roost server(place);
  EXPECT_EQ(server.wait_for_event("token_expired", {{"platform", "marketplace-a"}}).level, "error");
  EXPECT_NEAR(expiration_metric(server, "marketplace-a").value_or(0), from_now(std::chrono::hours{0}), 120);
  place.issue_token("marketplace-a", {"--ttl", "90d"});
  EXPECT_NEAR(expiration_metric(server, "marketplace-a").value_or(0), from_now(std::chrono::days{90}), 120);
  const auto listed = place.run_or_throw({"token", "list", "--json"});
  const auto at = listed.find("marketplace-b");
  const auto id = listed.rfind("\"id\":\"", at) + 6;
  place.run_or_throw({"token", "revoke", listed.substr(id, 36)});
  EXPECT_TRUE(std::isinf(expiration_metric(server, "marketplace-b").value_or(0)));
}

} // namespace roost::testing::expiries_test
