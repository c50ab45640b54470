#include "service/support/portfolio.hpp"
#include "service/support/running_roost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

/// Partners' tokens that end soon are warned of and measured. The certificate stands in tls_test.cpp.
namespace roost::testing::expiries_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

ROOST_FOR_EACH_STORE(TokenEnds);

std::optional<double> measured(const running_roost& server, const std::string& platform) {
  return server.metric("roost_partner_token_expiration_timestamp_seconds{platform=\"" + platform + "\"}");
}

double from_now(std::chrono::hours time) {
  return std::chrono::duration<double>((std::chrono::system_clock::now() + time).time_since_epoch()).count();
}

TEST_P(TokenEnds, AreMeasuredByThePlatformsFirstOneAndInfiniteWithoutAToken) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.issue_token("marketplace-a", {"--ttl", "365d"});
  place.issue_token("marketplace-a", {"--ttl", "30d"});
  const running_roost server(place);
  EXPECT_NEAR(measured(server, "marketplace-a").value_or(0), from_now(std::chrono::days{30}), 120);
  EXPECT_TRUE(std::isinf(measured(server, "marketplace-b").value_or(0)));

  place.issue_token("marketplace-a", {"--ttl", "90d", "--replace"});
  EXPECT_NEAR(measured(server, "marketplace-a").value_or(0), from_now(std::chrono::days{90}), 120);
}

TEST_P(TokenEnds, AreWarnedOfAtTheStartAndWhenAServerTakesATokenUp) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.issue_token("marketplace-a", {"--ttl", "22d"});
  place.issue_token("marketplace-b", {"--ttl", "20d"});
  running_roost server(place);
  EXPECT_THAT(server.wait_for_log({" warn token_expires platform=marketplace-b "}), HasSubstr(" days=19"));
  place.issue_token("marketplace-c", {"--ttl", "1h"});
  EXPECT_THAT(server.wait_for_log({" warn token_expires platform=marketplace-c "}), HasSubstr(" days=0"));
  const auto log = server.log();
  EXPECT_THAT(log, Not(HasSubstr("token_expires platform=marketplace-a")));
  const auto first = log.find("token_expires platform=marketplace-b");
  EXPECT_EQ(log.find("token_expires platform=marketplace-b", first + 1), std::string::npos); // once a day
}

TEST_P(TokenEnds, AreToldWhenTheLastOneIsOverUntilItIsReplacedOrRevoked) {
  workplace place(GetParam());
  place.import(portfolio_of(1));
  place.issue_token("marketplace-a", {"--ttl", "1s"});
  place.issue_token("marketplace-b", {"--ttl", "1s"});
  EXPECT_TRUE(eventually([&] { return place.run({"doctor"}).status == 1; }));
  EXPECT_THAT(place.run({"doctor"}).output, AllOf(HasSubstr("the last one of marketplace-a expired at "),
                                                  HasSubstr("`roost token issue --platform marketplace-a`")));
  running_roost server(place);
  server.wait_for_log({" error token_expired platform=marketplace-a "});
  EXPECT_NEAR(measured(server, "marketplace-a").value_or(0), from_now(std::chrono::hours{0}), 120);
  place.issue_token("marketplace-a", {"--ttl", "90d"});
  EXPECT_NEAR(measured(server, "marketplace-a").value_or(0), from_now(std::chrono::days{90}), 120);
  const auto listed = place.run_well({"token", "list", "--json"});
  const auto at = listed.find("marketplace-b");
  const auto id = listed.rfind("\"id\":\"", at) + 6;
  place.run_well({"token", "revoke", listed.substr(id, 36)});
  EXPECT_TRUE(std::isinf(measured(server, "marketplace-b").value_or(0)));
}

} // namespace roost::testing::expiries_test
