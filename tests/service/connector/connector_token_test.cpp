#include "service/support/assistant.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

/// The token endpoint: codes, refreshes, and ends of connections (Management API, OAuth artifacts).
namespace roost::testing::connector_token_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
ROOST_FOR_EACH_STORE(ConnectorTokens);

/// A server, a registered assistant, and Ana, who is signed in.
struct token_fixture {
  explicit token_fixture(store_kind kind, const std::map<std::string, std::string>& settings = {})
      : management(connector_fixture(kind, settings)), helper(management), ana(management.browser()) {
    ana.sign_in(management);
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

  management_fixture management;
  assistant helper;
  page_visit ana;
};

std::string refresh_of(const raw_response& tokens) { return string_at(tokens, "/refresh_token"); }

TEST_P(ConnectorTokens, AreIssuedForACode) {
  token_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  EXPECT_EQ(tokens.header("cache-control"), "no-store");
  EXPECT_EQ(tokens.header("access-control-allow-origin"), "*");
  EXPECT_EQ(string_at(tokens, "/token_type"), "Bearer");
  EXPECT_EQ(json_at(tokens.body, "/expires_in"), "900");
  EXPECT_EQ(string_at(tokens, "/scope"), "bookings team");
  const auto claims = fixture.claims_of(string_at(tokens, "/access_token"));
  EXPECT_EQ(json_at(claims, "/tokenSource"), R"("mcp")");
  EXPECT_EQ(json_at(claims, "/aud"), R"("https://tools.example/mcp")");
  EXPECT_EQ(json_at(claims, "/iss"), R"("http://127.0.0.1:8080")");
  EXPECT_EQ(json_at(claims, "/sub"), R"("22222222-0000-4000-8000-000000000001")");
  EXPECT_EQ(json_at(claims, "/client_id"), '"' + fixture.helper.id + '"');
}

TEST_P(ConnectorTokens, AreForTheAuthorizedResource) {
  token_fixture fixture(GetParam());
  const auto audience = [&](const std::string& resource) {
    const auto tokens = fixture.helper.exchange(fixture.helper.code(fixture.ana, {{"resource", resource}}));
    return json_at(fixture.claims_of(string_at(tokens, "/access_token")), "/aud");
  };
  EXPECT_EQ(audience("HTTPS://Tools.example:443/mcp"), R"("https://tools.example/mcp")");
  EXPECT_EQ(audience("https://other.example/"), R"("https://other.example")");
  EXPECT_EQ(audience("https://other.example"), R"("https://other.example")");
}

TEST_P(ConnectorTokens, AreIssuedForAJsonRequest) {
  token_fixture fixture(GetParam());
  const auto code = fixture.helper.code(fixture.ana);
  const auto response = send_request(
      fixture.management.server->port(), "POST", "/oauth/token", {{"Content-Type", "application/json"}},
      R"({"grant_type":"authorization_code","client_id":")" + fixture.helper.id + R"(","code":")" + code +
          R"(","redirect_uri":")" + loopback_redirect + R"(","code_verifier":")" + fixture.helper.verifier +
          R"(","unknown":{"a":1},"scope":null})");
  EXPECT_EQ(response.status, 200U) << response.body;
}

TEST_P(ConnectorTokens, OfAReplayedCodeAreRevoked) {
  token_fixture fixture(GetParam());
  const auto code = fixture.helper.code(fixture.ana);
  const auto tokens = fixture.helper.exchange(code);
  ASSERT_EQ(tokens.status, 200U);
  const auto key = fixture.management.place.run_or_throw({"tool-server-key", "issue"}).substr(0, 46);
  const auto access = string_at(tokens, "/access_token");
  EXPECT_EQ(json_at(introspect(fixture.management, key, access).body, "/active"), "true");
  const auto replayed = fixture.helper.exchange(code);
  EXPECT_EQ(replayed.status, 400U);
  EXPECT_EQ(oauth_error_of(replayed), "invalid_grant");
  EXPECT_EQ(introspect(fixture.management, key, access).body, R"({"active":false})");
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(tokens))), "invalid_grant");
}

TEST_P(ConnectorTokens, AreIssuedOnceForConcurrentUsesOfACode) {
  token_fixture fixture(GetParam());
  const auto code = fixture.helper.code(fixture.ana);
  std::mutex mutex;
  std::vector<raw_response> responses;
  std::vector<std::thread> racers;
  for (int i = 0; i < 50; ++i)
    racers.emplace_back([&] {
      auto response = fixture.helper.exchange(code);
      const std::lock_guard lock(mutex);
      responses.push_back(std::move(response));
    });
  for (auto& racer : racers) racer.join();
  const auto good =
      std::ranges::count_if(responses, [](const raw_response& response) { return response.status == 200; });
  EXPECT_EQ(good, 1);
  for (const auto& response : responses)
    if (response.status == 200) {
      EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(response))), "invalid_grant")
          << "the replay revokes it";
    }
}

TEST_P(ConnectorTokens, RequireEverythingThatTheCodeIsBoundTo) {
  token_fixture fixture(GetParam());
  const auto code = fixture.helper.code(fixture.ana);
  const auto refused = [&](const std::string& name, const std::string& value) {
    auto fields = fixture.helper.exchange_of(code);
    std::erase_if(fields, [&](const auto& field) { return field.first == name; });
    if (!value.empty()) fields.emplace_back(name, value);
    const auto response = fixture.helper.token(fields);
    EXPECT_EQ(response.header("cache-control"), "no-store");
    return std::to_string(response.status) + " " + oauth_error_of(response);
  };
  EXPECT_EQ(refused("code", "another"), "400 invalid_grant");
  EXPECT_EQ(refused("redirect_uri", loopback_redirect + "/"), "400 invalid_grant");
  EXPECT_EQ(refused("redirect_uri", "http://127.0.0.1:9/callback"), "400 invalid_grant")
      << "not the address of the redirect";
  EXPECT_EQ(refused("code_verifier", std::string(43, 'x')), "400 invalid_grant");
  EXPECT_EQ(refused("code_verifier", fixture.helper.challenge()), "400 invalid_grant")
      << "plain instead of S256";
  EXPECT_EQ(refused("resource", "https://evil.example/"), "400 invalid_target");
  EXPECT_EQ(refused("client_id", "mcp-unknown"), "401 invalid_client");
  for (const auto* missing : {"code", "redirect_uri", "code_verifier", "client_id", "grant_type"})
    EXPECT_EQ(refused(missing, ""), "400 invalid_request") << missing;
  EXPECT_EQ(refused("code_verifier", "short"), "400 invalid_request");
  EXPECT_EQ(refused("grant_type", "password"), "400 unsupported_grant_type");
  EXPECT_EQ(refused("grant_type", "client_credentials"), "400 unsupported_grant_type");
  assistant other(fixture.management, "http://localhost/other");
  auto stolen = fixture.helper.exchange_of(code);
  for (auto& [name, value] : stolen)
    if (name == "client_id") value = other.id;
  EXPECT_EQ(oauth_error_of(fixture.helper.token(stolen)), "invalid_grant");
  EXPECT_EQ(fixture.helper.exchange(code).status, 200U) << "refused requests must not use up the code";
}

TEST_P(ConnectorTokens, AreRefusedForUnreadableRequests) {
  token_fixture fixture(GetParam());
  const auto send = [&](const std::string& type, const std::string& body) {
    return send_request(fixture.management.server->port(), "POST", "/oauth/token", {{"Content-Type", type}},
                        body);
  };
  for (const auto* body : {"grant_type=a&grant_type=b", "%zz=1", "=x"})
    EXPECT_EQ(oauth_error_of(send("application/x-www-form-urlencoded", body)), "invalid_request") << body;
  for (const auto* body : {"{", "[]", R"({"grant_type":"a","grant_type":"b"})", "{}"})
    EXPECT_EQ(oauth_error_of(send("application/json", body)), "invalid_request") << body;
  EXPECT_EQ(send("text/plain", "x").status, 415U);
}

TEST_P(ConnectorTokens, OfAConfidentialClientRequireItsSecret) {
  token_fixture fixture(GetParam());
  fixture.helper.register_as(R"({"redirect_uris":[")" + loopback_redirect +
                             R"("],"token_endpoint_auth_method":"client_secret_post"})");
  const auto code = fixture.helper.code(fixture.ana);
  const auto secret = fixture.helper.secret;
  for (const auto& wrong : {std::string("wrong"), std::string(43, 'A'), std::string()}) {
    fixture.helper.secret = wrong;
    const auto refused = fixture.helper.exchange(code);
    EXPECT_EQ(refused.status, 401U);
    EXPECT_EQ(oauth_error_of(refused), "invalid_client");
  }
  fixture.helper.secret = secret;
  const auto tokens = fixture.helper.exchange(code);
  EXPECT_EQ(tokens.status, 200U);
  fixture.helper.secret = "";
  EXPECT_EQ(fixture.helper.refresh(refresh_of(tokens)).status, 401U);
  fixture.helper.secret = secret;
  EXPECT_EQ(fixture.helper.refresh(refresh_of(tokens)).status, 200U);
}

TEST_P(ConnectorTokens, OfAClientWithoutRefreshIncludeNoRefreshToken) {
  token_fixture fixture(GetParam());
  fixture.helper.register_as(R"({"redirect_uris":[")" + loopback_redirect +
                             R"("],"grant_types":["authorization_code"]})");
  const auto tokens = fixture.helper.connect(fixture.ana);
  EXPECT_EQ(json_at(tokens.body, "/refresh_token"), "");
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh("x")), "unsupported_grant_type");
}

TEST_P(ConnectorTokens, AreRefreshedWithANewRefreshToken) {
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

TEST_P(ConnectorTokens, AreRevokedWhenAReplacedRefreshTokenIsReused) {
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

TEST_P(ConnectorTokens, OfConcurrentRefreshesAreIssuedOnce) {
  token_fixture fixture(GetParam());
  const auto token = refresh_of(fixture.helper.connect(fixture.ana));
  std::atomic<int> good = 0;
  std::vector<std::thread> racers;
  for (int i = 0; i < 50; ++i)
    racers.emplace_back([&] { good += fixture.helper.refresh(token).status == 200 ? 1 : 0; });
  for (auto& racer : racers) racer.join();
  EXPECT_EQ(good, 1);
}

TEST_P(ConnectorTokens, AreTheSameForConcurrentRefreshesWithinTheGracePeriod) {
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

TEST_P(ConnectorTokens, ReflectTheUsersAccessAtEachRefresh) {
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

TEST_P(ConnectorTokens, SurviveANewPasswordAndEndWithTheUsersAccess) {
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

TEST_P(ConnectorTokens, EndWhenTheUserEndsTheConnection) {
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

TEST_P(ConnectorTokens, EndWhenTheOperatorRevokesTheConnection) {
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

TEST_P(ConnectorTokens, ExpireAsConfigured) {
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

TEST_P(ConnectorTokens, AreNotAcceptedByManagementRoutes) {
  token_fixture fixture(GetParam());
  const auto tokens =
      fixture.helper.exchange(fixture.helper.code(fixture.ana, {{"resource", "http://127.0.0.1:8080"}}));
  const auto refused = fixture.ana.browser().get("/ai-usage", string_at(tokens, "/access_token"));
  EXPECT_EQ(refused.status, 401U);
  EXPECT_EQ(refused.body, unauthorized("Unauthorized"));
  EXPECT_EQ(fixture.ana.browser().get("/auth/me", string_at(tokens, "/access_token")).status, 401U);
  auto thief = fixture.management.browser();
  thief.set_cookie(session_cookie, refresh_of(tokens));
  EXPECT_EQ(thief.post("/auth/refresh").body, unauthorized("Invalid or expired refresh token"));
  const auto session_token = fixture.ana.browser().cookie(session_cookie);
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(session_token)), "invalid_grant");
}

TEST_P(ConnectorTokens, AreStoredOnlyAsHashes) {
  token_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  const auto rows =
      store_rows(fixture.management.place.store().open(), "select hash from connector_codes", 1);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.front().size(), 64U);
}

TEST_P(ConnectorTokens, SurviveAKillRightAfterTheirResponse) {
  token_fixture fixture(GetParam());
  const auto code = fixture.helper.code(fixture.ana);
  const auto tokens = fixture.helper.exchange(code);
  ASSERT_EQ(tokens.status, 200U);
  fixture.management.server->kill();
  fixture.management.server.emplace(fixture.management.place);
  const assistant registered_again(fixture.management);
  EXPECT_EQ(registered_again.id, fixture.helper.id) << "the registration is stored";
  const auto refreshed = registered_again.refresh(refresh_of(tokens));
  EXPECT_EQ(refreshed.status, 200U) << refreshed.body;
  EXPECT_EQ(oauth_error_of(registered_again.exchange(code)), "invalid_grant");
  EXPECT_EQ(oauth_error_of(registered_again.refresh(refresh_of(refreshed))), "invalid_grant")
      << "the replay revoked it";
}

TEST_P(ConnectorTokens, HaveARateLimitPerAddress) {
  token_fixture fixture(GetParam(), {{"rate_limits.token", "1"}});
  EXPECT_EQ(fixture.helper.refresh("x").status, 400U);
  const auto refused = fixture.helper.refresh("x");
  EXPECT_EQ(refused.status, 429U);
  EXPECT_EQ(refused.header("access-control-allow-origin"), "*");
  EXPECT_FALSE(refused.header("retry-after").empty());
}

} // namespace roost::testing::connector_token_test
