#include "service/support/assistant.hpp"
#include "service/support/store_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

/// The token endpoint: codes, refreshes, and what ends a connection (Management API, OAuth artifacts).
namespace roost::testing::connector_token_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
ROOST_FOR_EACH_STORE(ConnectorTokens);

/// An office, an assistant, and Ana in her browser.
struct connector_desk {
  explicit connector_desk(store_kind kind, const std::map<std::string, std::string>& settings = {})
      : scene(connector_scene(kind, settings)), helper(scene), ana(scene.browser()) {
    ana.sign_in(scene);
  }

  std::string claims_of(const std::string& token) const {
    const auto first = token.find('.'), second = token.find('.', first + 1);
    std::string text, bits;
    static const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    unsigned value = 0, count = 0;
    for (const char c : token.substr(first + 1, second - first - 1)) {
      value = value << 6U | static_cast<unsigned>(alphabet.find(c));
      if (++count == 4) {
        text += {static_cast<char>(value >> 16U), static_cast<char>(value >> 8U), static_cast<char>(value)};
        value = count = 0;
      }
    }
    if (count == 3) text += {static_cast<char>(value >> 10U), static_cast<char>(value >> 2U)};
    if (count == 2) text += static_cast<char>(value >> 4U);
    return text;
  }

  management_scene scene;
  assistant helper;
  page_visit ana;
};

std::string refresh_of(const raw_response& tokens) { return text_at(tokens, "/refresh_token"); }

TEST_P(ConnectorTokens, AreGivenForACode) {
  connector_desk desk(GetParam());
  const auto tokens = desk.helper.connect(desk.ana);
  EXPECT_EQ(tokens.header("cache-control"), "no-store");
  EXPECT_EQ(tokens.header("access-control-allow-origin"), "*");
  EXPECT_EQ(text_at(tokens, "/token_type"), "Bearer");
  EXPECT_EQ(json_at(tokens.body, "/expires_in"), "900");
  EXPECT_EQ(text_at(tokens, "/scope"), "bookings team");
  const auto claims = desk.claims_of(text_at(tokens, "/access_token"));
  EXPECT_EQ(json_at(claims, "/tokenSource"), R"("mcp")");
  EXPECT_EQ(json_at(claims, "/aud"), R"("https://tools.example/mcp")");
  EXPECT_EQ(json_at(claims, "/iss"), R"("http://127.0.0.1:8080")");
  EXPECT_EQ(json_at(claims, "/sub"), R"("22222222-0000-4000-8000-000000000001")");
  EXPECT_EQ(json_at(claims, "/client_id"), '"' + desk.helper.id + '"');
}

TEST_P(ConnectorTokens, AreForTheResourceThatWasAuthorized) {
  connector_desk desk(GetParam());
  const auto audience = [&](const std::string& resource) {
    const auto tokens = desk.helper.exchange(desk.helper.code(desk.ana, {{"resource", resource}}));
    return json_at(desk.claims_of(text_at(tokens, "/access_token")), "/aud");
  };
  EXPECT_EQ(audience("HTTPS://Tools.example:443/mcp"), R"("https://tools.example/mcp")");
  EXPECT_EQ(audience("https://other.example/"), R"("https://other.example")");
  EXPECT_EQ(audience("https://other.example"), R"("https://other.example")");
}

TEST_P(ConnectorTokens, AreGivenForJsonToo) {
  connector_desk desk(GetParam());
  const auto code = desk.helper.code(desk.ana);
  const auto got =
      ask(desk.scene.server->port(), "POST", "/oauth/token", {{"Content-Type", "application/json"}},
          R"({"grant_type":"authorization_code","client_id":")" + desk.helper.id + R"(","code":")" + code +
              R"(","redirect_uri":")" + loopback_redirect + R"(","code_verifier":")" + desk.helper.verifier +
              R"(","unknown":{"a":1},"scope":null})");
  EXPECT_EQ(got.status, 200U) << got.body;
}

TEST_P(ConnectorTokens, OfACodeThatComesTwiceAreEnded) {
  connector_desk desk(GetParam());
  const auto code = desk.helper.code(desk.ana);
  const auto tokens = desk.helper.exchange(code);
  ASSERT_EQ(tokens.status, 200U);
  const auto key = desk.scene.place.run_well({"tool-server-key", "issue"}).substr(0, 46);
  const auto access = text_at(tokens, "/access_token");
  EXPECT_EQ(json_at(introspect(desk.scene, key, access).body, "/active"), "true");
  const auto replayed = desk.helper.exchange(code);
  EXPECT_EQ(replayed.status, 400U);
  EXPECT_EQ(oauth_error_of(replayed), "invalid_grant");
  EXPECT_EQ(introspect(desk.scene, key, access).body, R"({"active":false})");
  EXPECT_EQ(oauth_error_of(desk.helper.refresh(refresh_of(tokens))), "invalid_grant");
}

TEST_P(ConnectorTokens, AreGivenOnceForACodeThatManySendAtOnce) {
  connector_desk desk(GetParam());
  const auto code = desk.helper.code(desk.ana);
  std::mutex mutex;
  std::vector<raw_response> answers;
  std::vector<std::thread> racers;
  for (int i = 0; i < 50; ++i)
    racers.emplace_back([&] {
      auto got = desk.helper.exchange(code);
      const std::lock_guard lock(mutex);
      answers.push_back(std::move(got));
    });
  for (auto& each : racers) each.join();
  const auto good = std::ranges::count_if(answers, [](const raw_response& got) { return got.status == 200; });
  EXPECT_EQ(good, 1);
  for (const auto& got : answers)
    if (got.status == 200) {
      EXPECT_EQ(oauth_error_of(desk.helper.refresh(refresh_of(got))), "invalid_grant") << "a replay ends it";
    }
}

TEST_P(ConnectorTokens, NeedAllThatTheCodeIsBoundTo) {
  connector_desk desk(GetParam());
  const auto code = desk.helper.code(desk.ana);
  const auto refused = [&](const std::string& name, const std::string& value) {
    auto fields = desk.helper.exchange_of(code);
    std::erase_if(fields, [&](const auto& field) { return field.first == name; });
    if (!value.empty()) fields.emplace_back(name, value);
    const auto got = desk.helper.token(fields);
    EXPECT_EQ(got.header("cache-control"), "no-store");
    return std::to_string(got.status) + " " + oauth_error_of(got);
  };
  EXPECT_EQ(refused("code", "another"), "400 invalid_grant");
  EXPECT_EQ(refused("redirect_uri", loopback_redirect + "/"), "400 invalid_grant");
  EXPECT_EQ(refused("redirect_uri", "http://127.0.0.1:9/callback"), "400 invalid_grant")
      << "not the one it was sent to";
  EXPECT_EQ(refused("code_verifier", std::string(43, 'x')), "400 invalid_grant");
  EXPECT_EQ(refused("code_verifier", desk.helper.challenge()), "400 invalid_grant")
      << "plain instead of S256";
  EXPECT_EQ(refused("resource", "https://evil.example/"), "400 invalid_target");
  EXPECT_EQ(refused("client_id", "mcp-unknown"), "401 invalid_client");
  for (const auto* missing : {"code", "redirect_uri", "code_verifier", "client_id", "grant_type"})
    EXPECT_EQ(refused(missing, ""), "400 invalid_request") << missing;
  EXPECT_EQ(refused("code_verifier", "short"), "400 invalid_request");
  EXPECT_EQ(refused("grant_type", "password"), "400 unsupported_grant_type");
  EXPECT_EQ(refused("grant_type", "client_credentials"), "400 unsupported_grant_type");
  assistant other(desk.scene, "http://localhost/other");
  auto stolen = desk.helper.exchange_of(code);
  for (auto& [name, value] : stolen)
    if (name == "client_id") value = other.id;
  EXPECT_EQ(oauth_error_of(desk.helper.token(stolen)), "invalid_grant");
  EXPECT_EQ(desk.helper.exchange(code).status, 200U) << "refusals leave the code as it was";
}

TEST_P(ConnectorTokens, AreNotGivenForWhatCannotBeRead) {
  connector_desk desk(GetParam());
  const auto send = [&](const std::string& type, const std::string& body) {
    return ask(desk.scene.server->port(), "POST", "/oauth/token", {{"Content-Type", type}}, body);
  };
  for (const auto* body : {"grant_type=a&grant_type=b", "%zz=1", "=x"})
    EXPECT_EQ(oauth_error_of(send("application/x-www-form-urlencoded", body)), "invalid_request") << body;
  for (const auto* body : {"{", "[]", R"({"grant_type":"a","grant_type":"b"})", "{}"})
    EXPECT_EQ(oauth_error_of(send("application/json", body)), "invalid_request") << body;
  EXPECT_EQ(send("text/plain", "x").status, 415U);
}

TEST_P(ConnectorTokens, OfAConfidentialClientNeedItsSecret) {
  connector_desk desk(GetParam());
  desk.helper.register_as(R"({"redirect_uris":[")" + loopback_redirect +
                          R"("],"token_endpoint_auth_method":"client_secret_post"})");
  const auto code = desk.helper.code(desk.ana);
  const auto secret = desk.helper.secret;
  for (const auto& wrong : {std::string("wrong"), std::string(43, 'A'), std::string()}) {
    desk.helper.secret = wrong;
    const auto refused = desk.helper.exchange(code);
    EXPECT_EQ(refused.status, 401U);
    EXPECT_EQ(oauth_error_of(refused), "invalid_client");
  }
  desk.helper.secret = secret;
  const auto tokens = desk.helper.exchange(code);
  EXPECT_EQ(tokens.status, 200U);
  desk.helper.secret = "";
  EXPECT_EQ(desk.helper.refresh(refresh_of(tokens)).status, 401U);
  desk.helper.secret = secret;
  EXPECT_EQ(desk.helper.refresh(refresh_of(tokens)).status, 200U);
}

TEST_P(ConnectorTokens, OfAClientWithoutRefreshHaveNone) {
  connector_desk desk(GetParam());
  desk.helper.register_as(R"({"redirect_uris":[")" + loopback_redirect +
                          R"("],"grant_types":["authorization_code"]})");
  const auto tokens = desk.helper.connect(desk.ana);
  EXPECT_EQ(json_at(tokens.body, "/refresh_token"), "");
  EXPECT_EQ(oauth_error_of(desk.helper.refresh("x")), "unsupported_grant_type");
}

TEST_P(ConnectorTokens, AreRefreshedWithANewRefreshToken) {
  connector_desk desk(GetParam());
  auto refresh_token = refresh_of(desk.helper.connect(desk.ana));
  std::set<std::string> seen{refresh_token};
  for (int i = 0; i < 3; ++i) {
    const auto tokens = desk.helper.refresh(refresh_token);
    ASSERT_EQ(tokens.status, 200U) << tokens.body;
    EXPECT_EQ(text_at(tokens, "/scope"), "bookings team");
    refresh_token = refresh_of(tokens);
    EXPECT_TRUE(seen.insert(refresh_token).second);
  }
}

TEST_P(ConnectorTokens, EndWhenAReplacedRefreshTokenComesAgain) {
  connector_desk desk(GetParam());
  const auto first = refresh_of(desk.helper.connect(desk.ana));
  const auto second = refresh_of(desk.helper.refresh(first));
  EXPECT_EQ(oauth_error_of(desk.helper.refresh(first)), "invalid_grant");
  EXPECT_EQ(oauth_error_of(desk.helper.refresh(second)), "invalid_grant");
  EXPECT_EQ(
      desk.scene.server->metric(R"(roost_connector_tokens_total{grant="refresh_token",result="reused"})"),
      1.0);
  desk.scene.server->wait_for_log({"connection_token_reused"});
}

TEST_P(ConnectorTokens, OfRacingRefreshesGoToOneOfThem) {
  connector_desk desk(GetParam());
  const auto token = refresh_of(desk.helper.connect(desk.ana));
  std::atomic<int> good = 0;
  std::vector<std::thread> racers;
  for (int i = 0; i < 50; ++i)
    racers.emplace_back([&] { good += desk.helper.refresh(token).status == 200 ? 1 : 0; });
  for (auto& each : racers) each.join();
  EXPECT_EQ(good, 1);
}

TEST_P(ConnectorTokens, AreTheSameForRacingRefreshesWithinAGrace) {
  connector_desk desk(GetParam(), {{"connector.refresh_grace", R"("1m")"}});
  const auto token = refresh_of(desk.helper.connect(desk.ana));
  std::mutex mutex;
  std::set<std::string> successors;
  std::vector<std::thread> racers;
  for (int i = 0; i < 50; ++i)
    racers.emplace_back([&] {
      const auto tokens = desk.helper.refresh(token);
      const std::lock_guard lock(mutex);
      successors.insert(tokens.status == 200 ? refresh_of(tokens) : tokens.body);
    });
  for (auto& each : racers) each.join();
  ASSERT_EQ(successors.size(), 1U);
  EXPECT_EQ(desk.helper.refresh(*successors.begin()).status, 200U);
}

TEST_P(ConnectorTokens, FollowWhatTheUserMayDoAtEachRefresh) {
  connector_desk desk(GetParam());
  auto token = refresh_of(desk.helper.connect(desk.ana));
  desk.scene.place.run_well({"ai-area", "set", account_id, "team", "off"});
  const auto fewer = desk.helper.refresh(token);
  EXPECT_EQ(text_at(fewer, "/scope"), "bookings");
  desk.scene.place.run_well({"ai-area", "set", account_id, "bookings", "off"});
  const auto none = desk.helper.refresh(refresh_of(fewer));
  EXPECT_EQ(none.status, 400U);
  EXPECT_EQ(oauth_error_of(none), "access_denied");
  desk.scene.place.run_well({"ai-area", "set", account_id, "listings", "edit"});
  const auto again = desk.helper.refresh(refresh_of(fewer));
  EXPECT_EQ(again.status, 200U) << "the refusal took nothing away";
  EXPECT_EQ(text_at(again, "/scope"), "listings");
}

TEST_P(ConnectorTokens, GoOnAfterANewPasswordAndEndWithTheAccess) {
  connector_desk desk(GetParam());
  auto token = refresh_of(desk.helper.connect(desk.ana));
  desk.scene.place.run({"user", "password", "ana@casaverde.example"}, "another-one\n");
  const auto tokens = desk.helper.refresh(token);
  EXPECT_EQ(tokens.status, 200U);
  desk.scene.place.import(portfolio_of(
      1, {{the_account + "/aiAreas", R"({"team":"edit"})"}, {the_account + "/users/0/aiAccess", "false"}}));
  EXPECT_TRUE(
      eventually([&] { return oauth_error_of(desk.helper.refresh(refresh_of(tokens))) == "access_denied"; }));
}

TEST_P(ConnectorTokens, EndWhenTheUserEndsTheConnection) {
  connector_desk desk(GetParam());
  const auto token = refresh_of(desk.helper.connect(desk.ana));
  const auto page = desk.ana.open("/account");
  EXPECT_THAT(page.body,
              AllOf(HasSubstr("<h3>Rent Helper</h3>"), HasSubstr("Bookings (read-only), Team (edit)")));
  const auto before = std::string("/account/connections/");
  const auto at = page.body.find(before);
  ASSERT_NE(at, std::string::npos);
  const auto done = desk.ana.submit(before + page.body.substr(at + before.size(), 36) + "/end");
  EXPECT_EQ(done.header("location"), "/account?notice=connection-ended");
  EXPECT_EQ(oauth_error_of(desk.helper.refresh(token)), "invalid_grant");
  EXPECT_THAT(desk.ana.open("/account").body, Not(HasSubstr("Rent Helper")));
}

TEST_P(ConnectorTokens, EndWhenTheOperatorRevokesTheConnection) {
  connector_desk desk(GetParam());
  const auto tokens = desk.helper.connect(desk.ana);
  const auto key = desk.scene.place.run_well({"tool-server-key", "issue"}).substr(0, 46);
  const auto list = desk.scene.place.run_well({"connector", "list", "--user", "ana@casaverde.example"});
  EXPECT_THAT(list,
              AllOf(HasSubstr("Rent Helper (" + desk.helper.id + ")"), HasSubstr("ana@casaverde.example")));
  const auto id = list.substr(0, 36);
  EXPECT_THAT(desk.scene.place.run_well({"connector", "show", id}),
              AllOf(HasSubstr("https://tools.example/mcp"), Not(HasSubstr("ended"))));
  EXPECT_EQ(desk.scene.place.run({"connector", "revoke", id}).status, 0);
  EXPECT_EQ(introspect(desk.scene, key, text_at(tokens, "/access_token")).body, R"({"active":false})");
  EXPECT_EQ(oauth_error_of(desk.helper.refresh(refresh_of(tokens))), "invalid_grant");
  EXPECT_EQ(desk.scene.place.run({"connector", "revoke", id}).status, 1);
  EXPECT_THAT(desk.scene.place.run_well({"connector", "show", id}), HasSubstr("by operator"));
}

TEST_P(ConnectorTokens, ExpireAsConfigured) {
  connector_desk desk(GetParam(), {{"connector.code", R"("1s")"}, {"connector.refresh_token", R"("1s")"}});
  const auto code = desk.helper.code(desk.ana);
  EXPECT_TRUE(eventually([&] {
    const auto got = desk.helper.exchange(code);
    return got.status == 400; // expired, or used by the try before
  }));
  const auto token = refresh_of(desk.helper.connect(desk.ana));
  EXPECT_TRUE(eventually([&, token = token]() mutable {
    const auto got = desk.helper.refresh(token);
    if (got.status == 200) {
      token = refresh_of(got);
      std::this_thread::sleep_for(std::chrono::milliseconds(1'100));
    }
    return got.status == 400 && oauth_error_of(got) == "invalid_grant";
  }));
}

TEST_P(ConnectorTokens, AreNoneOfTheManagementRoutes) {
  connector_desk desk(GetParam());
  const auto tokens =
      desk.helper.exchange(desk.helper.code(desk.ana, {{"resource", "http://127.0.0.1:8080"}}));
  const auto refused = desk.ana.browser().get("/ai-usage", text_at(tokens, "/access_token"));
  EXPECT_EQ(refused.status, 401U);
  EXPECT_EQ(refused.body, unauthorized("Unauthorized"));
  EXPECT_EQ(desk.ana.browser().get("/auth/me", text_at(tokens, "/access_token")).status, 401U);
  auto thief = desk.scene.browser();
  thief.set_cookie(session_cookie, refresh_of(tokens));
  EXPECT_EQ(thief.post("/auth/refresh").body, unauthorized("Invalid or expired refresh token"));
  const auto session_token = desk.ana.browser().cookie(session_cookie);
  EXPECT_EQ(oauth_error_of(desk.helper.refresh(session_token)), "invalid_grant");
}

TEST_P(ConnectorTokens, AreNowhereInTheStore) {
  connector_desk desk(GetParam());
  const auto tokens = desk.helper.connect(desk.ana);
  const auto rows = store_rows(desk.scene.place.store().open(), "select hash from connector_codes", 1);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().size(), 64U);
}

TEST_P(ConnectorTokens, SurviveAServerThatIsKilledTheMomentTheyAreGiven) {
  connector_desk desk(GetParam());
  const auto code = desk.helper.code(desk.ana);
  const auto tokens = desk.helper.exchange(code);
  ASSERT_EQ(tokens.status, 200U);
  desk.scene.server->kill();
  desk.scene.server.emplace(desk.scene.place);
  const assistant same(desk.scene);
  EXPECT_EQ(same.id, desk.helper.id) << "it is known from before";
  const auto refreshed = same.refresh(refresh_of(tokens));
  EXPECT_EQ(refreshed.status, 200U) << refreshed.body;
  EXPECT_EQ(oauth_error_of(same.exchange(code)), "invalid_grant");
  EXPECT_EQ(oauth_error_of(same.refresh(refresh_of(refreshed))), "invalid_grant") << "the replay ended it";
}

TEST_P(ConnectorTokens, HaveALimitForEachAddress) {
  connector_desk desk(GetParam(), {{"rate_limits.token", "1"}});
  EXPECT_EQ(desk.helper.refresh("x").status, 400U);
  const auto refused = desk.helper.refresh("x");
  EXPECT_EQ(refused.status, 429U);
  EXPECT_EQ(refused.header("access-control-allow-origin"), "*");
  EXPECT_FALSE(refused.header("retry-after").empty());
}

} // namespace roost::testing::connector_token_test
