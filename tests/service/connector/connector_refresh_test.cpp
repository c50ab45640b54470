#include "service/support/assistant.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

/// Refreshes, and the ends of connections (Management API, OAuth artifacts).
namespace roost::testing::connector_refresh_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
ROOST_FOR_EACH_STORE(RefreshedTokens);

TEST_P(RefreshedTokens, ComeWithANewRefreshToken) {
  token_fixture fixture(GetParam());
  auto refresh_token = refresh_of(fixture.helper.connect(fixture.ana));
  std::set<std::string> seen{refresh_token};
  for (int i = 0; i < 3; ++i) {
    const auto tokens = fixture.helper.refresh(refresh_token);
    ASSERT_EQ(tokens.status, 200U) << tokens.body;
    EXPECT_EQ(string_at(tokens, "/scope"), "bookings team");
    refresh_token = refresh_of(tokens);
    EXPECT_TRUE(seen.insert(refresh_token).second);
  }
}

TEST_P(RefreshedTokens, AreRevokedWhenAReplacedRefreshTokenIsReused) {
  token_fixture fixture(GetParam());
  const auto first = refresh_of(fixture.helper.connect(fixture.ana));
  const auto second = refresh_of(fixture.helper.refresh(first));
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(first)), "invalid_grant");
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(second)), "invalid_grant");
  EXPECT_EQ(fixture.management.server->metric(
                R"(roost_connector_tokens_total{grant="refresh_token",result="reused"})"),
            1.0);
  fixture.management.server->wait_for_event("connection_token_reused");
}

TEST_P(RefreshedTokens, AreIssuedOnceForConcurrentRefreshes) {
  token_fixture fixture(GetParam());
  const auto token = refresh_of(fixture.helper.connect(fixture.ana));
  std::atomic<int> good = 0;
  std::vector<std::thread> racers;
  for (int i = 0; i < 50; ++i)
    racers.emplace_back([&] { good += fixture.helper.refresh(token).status == 200 ? 1 : 0; });
  for (auto& racer : racers) racer.join();
  EXPECT_EQ(good, 1);
}

TEST_P(RefreshedTokens, AreTheSameForConcurrentRefreshesWithinTheGracePeriod) {
  token_fixture fixture(GetParam(), {{"connector.refresh_grace", R"("1m")"}});
  const auto token = refresh_of(fixture.helper.connect(fixture.ana));
  std::mutex mutex;
  std::set<std::string> successors;
  std::vector<std::thread> racers;
  for (int i = 0; i < 50; ++i)
    racers.emplace_back([&] {
      const auto tokens = fixture.helper.refresh(token);
      const std::lock_guard lock(mutex);
      successors.insert(tokens.status == 200 ? refresh_of(tokens) : tokens.body);
    });
  for (auto& racer : racers) racer.join();
  ASSERT_EQ(successors.size(), 1U);
  EXPECT_EQ(fixture.helper.refresh(*successors.begin()).status, 200U);
}

TEST_P(RefreshedTokens, ReflectTheUsersAccessAtEachRefresh) {
  token_fixture fixture(GetParam());
  auto token = refresh_of(fixture.helper.connect(fixture.ana));
  fixture.management.place.run_or_throw({"ai-area", "set", account_id, "team", "off"});
  const auto fewer = fixture.helper.refresh(token);
  EXPECT_EQ(string_at(fewer, "/scope"), "bookings");
  fixture.management.place.run_or_throw({"ai-area", "set", account_id, "bookings", "off"});
  const auto none = fixture.helper.refresh(refresh_of(fewer));
  EXPECT_EQ(none.status, 400U);
  EXPECT_EQ(oauth_error_of(none), "access_denied");
  fixture.management.place.run_or_throw({"ai-area", "set", account_id, "listings", "edit"});
  const auto again = fixture.helper.refresh(refresh_of(fewer));
  EXPECT_EQ(again.status, 200U) << "the refused request must not end the connection";
  EXPECT_EQ(string_at(again, "/scope"), "listings");
}

TEST_P(RefreshedTokens, SurviveANewPasswordAndEndWithTheUsersAccess) {
  token_fixture fixture(GetParam());
  auto token = refresh_of(fixture.helper.connect(fixture.ana));
  fixture.management.place.run({"user", "password", "ana@casaverde.example"}, "another-one\n");
  const auto tokens = fixture.helper.refresh(token);
  EXPECT_EQ(tokens.status, 200U);
  fixture.management.place.import(portfolio_of(1, {{account_pointer + "/aiAreas", R"({"team":"edit"})"},
                                                   {account_pointer + "/users/0/aiAccess", "false"}}));
  EXPECT_TRUE(eventually(
      [&] { return oauth_error_of(fixture.helper.refresh(refresh_of(tokens))) == "access_denied"; }));
}

TEST_P(RefreshedTokens, EndWhenTheUserEndsTheConnection) {
  token_fixture fixture(GetParam());
  const auto token = refresh_of(fixture.helper.connect(fixture.ana));
  const auto page = fixture.ana.open("/account");
  EXPECT_THAT(page.body,
              AllOf(HasSubstr("<h3>Rent Helper</h3>"), HasSubstr("Bookings (read-only), Team (edit)")));
  const auto path = std::string("/account/connections/");
  const auto position = page.body.find(path);
  ASSERT_NE(position, std::string::npos);
  const auto done = fixture.ana.submit(path + page.body.substr(position + path.size(), 36) + "/end");
  EXPECT_EQ(done.header("location"), "/account?notice=connection-ended");
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(token)), "invalid_grant");
  EXPECT_THAT(fixture.ana.open("/account").body, Not(HasSubstr("Rent Helper")));
}

TEST_P(RefreshedTokens, EndWhenTheOperatorRevokesTheConnection) {
  token_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  const auto key = fixture.management.place.run_or_throw({"tool-server-key", "issue"}).substr(0, 46);
  const auto list =
      fixture.management.place.run_or_throw({"connector", "list", "--user", "ana@casaverde.example"});
  EXPECT_THAT(
      list, AllOf(HasSubstr("Rent Helper (" + fixture.helper.id + ")"), HasSubstr("ana@casaverde.example")));
  const auto id = list.substr(0, 36);
  EXPECT_THAT(fixture.management.place.run_or_throw({"connector", "show", id}),
              AllOf(HasSubstr("https://tools.example/mcp"), Not(HasSubstr("ended"))));
  EXPECT_EQ(fixture.management.place.run({"connector", "revoke", id}).status, 0);
  EXPECT_EQ(introspect(fixture.management, key, string_at(tokens, "/access_token")).body,
            R"({"active":false})");
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(tokens))), "invalid_grant");
  EXPECT_EQ(fixture.management.place.run({"connector", "revoke", id}).status, 1);
  EXPECT_THAT(fixture.management.place.run_or_throw({"connector", "show", id}), HasSubstr("by operator"));
}

TEST_P(RefreshedTokens, ExpireAsConfigured) {
  token_fixture fixture(GetParam(), {{"connector.code", R"("1s")"}, {"connector.refresh_token", R"("1s")"}});
  const auto code = fixture.helper.code(fixture.ana);
  EXPECT_TRUE(eventually([&] {
    const auto response = fixture.helper.exchange(code);
    return response.status == 400; // expired, or used by the previous attempt
  }));
  const auto token = refresh_of(fixture.helper.connect(fixture.ana));
  EXPECT_TRUE(eventually([&] { // without refreshing it, which would extend its lifetime
    return fixture.management.place.run_or_throw({"connector", "list"}).find(fixture.helper.id) ==
           std::string::npos;
  }));
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(token)), "invalid_grant");
}

} // namespace roost::testing::connector_refresh_test
