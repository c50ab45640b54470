#include "service/support/assistant.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

/// The token endpoint: tokens for codes, and what codes and tokens are bound to (Management API, OAuth
/// artifacts).
namespace roost::testing::connector_token_test {
using ::testing::HasSubstr;
ROOST_FOR_EACH_STORE(ConnectorTokens);
ROOST_FOR_SQLITE(ConnectorTokensOverHttp);

/// Returns the claims of a JSON Web Token as JSON, without checking its signature.
std::string claims_of(const std::string& token) {
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

TEST_P(ConnectorTokens, AreIssuedForACode) {
  token_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  EXPECT_EQ(tokens.header("cache-control"), "no-store");
  EXPECT_EQ(tokens.header("access-control-allow-origin"), "*");
  EXPECT_EQ(string_at(tokens, "/token_type"), "Bearer");
  EXPECT_EQ(json_at(tokens.body, "/expires_in"), "900");
  EXPECT_EQ(string_at(tokens, "/scope"), "bookings team");
  const auto claims = claims_of(string_at(tokens, "/access_token"));
  EXPECT_EQ(json_at(claims, "/tokenSource"), R"("mcp")");
  EXPECT_EQ(json_at(claims, "/aud"), R"("https://tools.example/mcp")");
  EXPECT_EQ(json_at(claims, "/iss"), R"("http://127.0.0.1:8080")");
  EXPECT_EQ(json_at(claims, "/sub"), R"("22222222-0000-4000-8000-000000000001")");
  EXPECT_EQ(json_at(claims, "/client_id"), '"' + fixture.helper.id + '"');
}

TEST_P(ConnectorTokensOverHttp, AreForTheAuthorizedResource) {
  token_fixture fixture(GetParam());
  fixture.issue_key("https://other.example/");
  const auto audience = [&](const std::string& resource) {
    const auto tokens = fixture.helper.exchange(fixture.helper.code(fixture.ana, {{"resource", resource}}));
    return json_at(claims_of(string_at(tokens, "/access_token")), "/aud");
  };
  EXPECT_EQ(audience("HTTPS://Tools.example:443/mcp"), R"("https://tools.example/mcp")");
  EXPECT_EQ(audience("https://other.example/"), R"("https://other.example")");
  EXPECT_EQ(audience("https://other.example"), R"("https://other.example")");
}

TEST_P(ConnectorTokensOverHttp, AreIssuedOnlyForResourcesOfLiveToolServerKeys) {
  token_fixture fixture(GetParam());
  const auto authorize = [&](const std::string& resource) {
    return fixture.helper.decide(fixture.ana, "authorize", {{"resource", resource}}).header("location");
  };
  for (const auto* resource :
       {"https://evil.example/mcp", "http://tools.example/mcp", "https://tools.example/mcp/",
        "https://tools.example:8443/mcp", "http://127.0.0.1:9000/mcp"}) {
    const auto refused = authorize(resource);
    EXPECT_EQ(query_parameter(refused, "error"), "invalid_target") << resource;
    EXPECT_FALSE(query_parameter(refused, "code")) << resource;
  }
  fixture.issue_key("http://127.0.0.1:9000/mcp");
  EXPECT_TRUE(query_parameter(authorize("http://127.0.0.1:9000/mcp"), "code"));
  const auto insecure =
      fixture.management.place.run({"tool-server-key", "issue", "--resource", "http://other.example/"});
  EXPECT_EQ(insecure.status, 2);
  EXPECT_THAT(insecure.errors, HasSubstr("neither an https URL nor on this machine"));
}

TEST_P(ConnectorTokensOverHttp, AreIssuedForAToolServerWithALongUrl) {
  const auto url = "\"https://tools.example/" + std::string(600, 'a') + '"';
  token_fixture fixture(GetParam(), {{"connector.tool_server", url}});
  EXPECT_EQ(fixture.helper.exchange(fixture.helper.code(fixture.ana)).status, 200U);
}

TEST_P(ConnectorTokens, AreNotRefreshedWhileTheirResourceHasNoKey) {
  token_fixture fixture(GetParam());
  fixture.issue_key("https://other.example/");
  const std::map<std::string, std::string> other{{"resource", "https://other.example"}};
  const auto tokens = fixture.helper.exchange(fixture.helper.code(fixture.ana, other));
  const auto unused = fixture.helper.code(fixture.ana, other);
  fixture.revoke_keys();
  const auto refused = fixture.helper.refresh(refresh_of(tokens));
  EXPECT_EQ(refused.status, 400U);
  EXPECT_EQ(oauth_error_of(refused), "invalid_target");
  EXPECT_EQ(oauth_error_of(fixture.helper.exchange(unused)), "invalid_target");
  fixture.issue_key("https://other.example/");
  EXPECT_EQ(fixture.helper.refresh(refresh_of(tokens)).status, 200U) << "it was not replaced";
  EXPECT_EQ(fixture.helper.exchange(unused).status, 200U);
}

TEST_P(ConnectorTokensOverHttp, AreIssuedForAJsonRequest) {
  token_fixture fixture(GetParam());
  const auto code = fixture.helper.code(fixture.ana);
  const auto response = send_request(
      fixture.management.server->port(), "POST", "/oauth/token", {{"Content-Type", "application/json"}},
      R"({"grant_type":"authorization_code","client_id":")" + fixture.helper.id + R"(","code":")" + code +
          R"(","redirect_uri":")" + loopback_redirect + R"(","code_verifier":")" + fixture.helper.verifier +
          R"(","unknown":{"a":1},"scope":null})");
  EXPECT_EQ(response.status, 200U) << response.body;
}

TEST_P(ConnectorTokens, AreRevokedWhenTheirCodeIsReplayed) {
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

TEST_P(ConnectorTokensOverHttp, AreRefusedForUnreadableRequests) {
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

TEST_P(ConnectorTokens, AreRefusedForAZeroByteInAParameter) {
  token_fixture fixture(GetParam());
  const auto port = fixture.management.server->port();
  const auto code = fixture.helper.code(fixture.ana);
  std::map<std::string, std::string> usual{{"refresh_token", "b"},
                                           {"client_secret", "c"},
                                           {"resource", "https://tools.example/mcp"},
                                           {"unknown", "value"}};
  for (const auto& [name, value] : fixture.helper.exchange_of(code)) usual[name] = value;
  for (const auto* grant : {"authorization_code", "refresh_token"}) {
    usual["grant_type"] = grant;
    for (const auto& changed : usual) {
      std::string body;
      for (const auto& [name, value] : usual)
        body.append(body.empty() ? "{\"" : ",\"")
            .append(name + R"(":")" + value)
            .append(name == changed.first ? R"(\u0000")" : "\"");
      const auto response =
          send_request(port, "POST", "/oauth/token", {{"Content-Type", "application/json"}}, body + '}');
      EXPECT_EQ(response.status, 400U) << changed.first;
      EXPECT_EQ(oauth_error_of(response), "invalid_request") << changed.first;
    }
  }
  EXPECT_EQ(send_request(port, "POST", "/oauth/token",
                         {{"Content-Type", "application/x-www-form-urlencoded"}},
                         "grant_type=refresh_token&client_id=mcp-%00")
                .status,
            400U);
  EXPECT_EQ(send_request(port, "GET", "/oauth/authorize?client_id=mcp-%00").status, 400U);
  EXPECT_EQ(fixture.helper.exchange(code).status, 200U) << "refused requests must not use up the code";
}

TEST_P(ConnectorTokens, RequireTheSecretOfAConfidentialClient) {
  token_fixture fixture(GetParam());
  fixture.helper.register_as(R"({"redirect_uris":[")" + loopback_redirect +
                             R"("],"token_endpoint_auth_method":"client_secret_post"})");
  const auto code = fixture.helper.code(fixture.ana);
  const auto secret = fixture.helper.secret;
  for (const auto& wrong : {std::string("wrong"), std::string(43, 'A'), std::string()}) {
    fixture.helper.secret = wrong;
    const auto refused = fixture.helper.exchange(code);
    EXPECT_EQ(refused.status, 401U);
    EXPECT_EQ(refused.header("www-authenticate"), R"(Bearer realm="roost")");
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

TEST_P(ConnectorTokens, IncludeNoRefreshTokenForAClientWithoutRefresh) {
  token_fixture fixture(GetParam());
  fixture.helper.register_as(R"({"redirect_uris":[")" + loopback_redirect +
                             R"("],"grant_types":["authorization_code"]})");
  const auto tokens = fixture.helper.connect(fixture.ana);
  EXPECT_EQ(json_at(tokens.body, "/refresh_token"), "");
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh("x")), "unsupported_grant_type");
}

TEST_P(ConnectorTokensOverHttp, AreNotAcceptedByManagementRoutes) {
  token_fixture fixture(GetParam());
  fixture.issue_key("http://127.0.0.1:8080");
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

TEST_P(ConnectorTokensOverHttp, HaveARateLimitPerAddress) {
  token_fixture fixture(GetParam(), {{"rate_limits.token", "1"}});
  EXPECT_EQ(fixture.helper.refresh("x").status, 400U);
  const auto refused = fixture.helper.refresh("x");
  EXPECT_EQ(refused.status, 429U);
  EXPECT_EQ(refused.header("access-control-allow-origin"), "*");
  EXPECT_FALSE(refused.header("retry-after").empty());
}

} // namespace roost::testing::connector_token_test
