#include "service/support/assistant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Introspection of tokens and keys by tool servers (RFC 7662, RFC 7517).
namespace roost::testing::introspection_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
ROOST_FOR_EACH_STORE(Introspection);
ROOST_FOR_SQLITE(IntrospectionOverHttp);

const std::string inactive = R"({"active":false})";

std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(" \n")); }

struct introspection_fixture {
  explicit introspection_fixture(store_kind kind, const std::map<std::string, std::string>& settings = {})
      : management(connector_fixture(kind, settings)), helper(management), ana(management.browser()) {
    session = string_at(management.sign_in(ana.browser()), "/token");
    key = first_word(management.place.run_or_throw({"tool-server-key", "issue"}));
  }

  raw_response introspect_token(const std::string& token) const { return introspect(management, key, token); }

  management_fixture management;
  assistant helper;
  page_visit ana;
  std::string key, session;
};

TEST_P(Introspection, ReturnsTheUserOfATokenAndItsCurrentAreas) {
  introspection_fixture fixture(GetParam());
  const auto token = string_at(fixture.helper.connect(fixture.ana), "/access_token");
  const auto response = fixture.introspect_token(token);
  EXPECT_EQ(response.status, 200U);
  EXPECT_EQ(response.header("cache-control"), "no-store");
  EXPECT_EQ(json_at(response.body, "/active"), "true");
  EXPECT_EQ(string_at(response, "/sub"), "22222222-0000-4000-8000-000000000001");
  EXPECT_EQ(string_at(response, "/username"), "ana@casaverde.example");
  EXPECT_EQ(string_at(response, "/account_id"), account_id);
  EXPECT_EQ(string_at(response, "/client_id"), fixture.helper.id);
  EXPECT_EQ(string_at(response, "/aud"), "https://tools.example/mcp");
  EXPECT_EQ(string_at(response, "/tokenSource"), "mcp");
  EXPECT_EQ(json_at(response.body, "/areas"),
            R"([{"area":"bookings","access":"read-only"},{"area":"team","access":"edit"}])");
  fixture.management.place.run_or_throw({"ai-area", "set", account_id, "bookings", "edit"});
  EXPECT_THAT(fixture.introspect_token(token).body, HasSubstr(R"({"area":"bookings","access":"edit"})"))
      << "the current access";
  fixture.management.place.run_or_throw({"ai-area", "set", account_id, "bookings", "off"});
  fixture.management.place.run_or_throw({"ai-area", "set", account_id, "team", "off"});
  EXPECT_EQ(fixture.introspect_token(token).body, inactive);
}

TEST_P(IntrospectionOverHttp, AllowsEveryOrigin) {
  const introspection_fixture fixture(GetParam());
  const auto port = fixture.management.server->port();
  const header_fields origin{{"Origin", "https://inspector.example"}};
  EXPECT_EQ(send_request(port, "OPTIONS", "/oauth/introspect", origin).header("access-control-allow-origin"),
            "*");
  EXPECT_EQ(fixture.introspect_token(fixture.session).header("access-control-allow-origin"), "*");
  const auto refused = introspect(fixture.management, "unknown", "token");
  EXPECT_EQ(refused.status, 401U);
  EXPECT_EQ(refused.header("access-control-allow-origin"), "*");
}

TEST_P(IntrospectionOverHttp, AcceptsJson) {
  const introspection_fixture fixture(GetParam());
  const auto response =
      send_request(fixture.management.server->port(), "POST", "/oauth/introspect",
                   {{"Authorization", "Bearer " + fixture.key}, {"Content-Type", "application/json"}},
                   R"({"token":"x","token_type_hint":"access_token"})");
  EXPECT_EQ(response.body, inactive);
}

TEST_P(IntrospectionOverHttp, RejectsOtherTokens) {
  introspection_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  auto changed = string_at(tokens, "/access_token");
  changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
  fixture.management.place.run_or_throw({"tool-server-key", "issue", "--resource", "https://other.example"});
  const auto elsewhere = string_at(
      fixture.helper.exchange(fixture.helper.code(fixture.ana, {{"resource", "https://other.example"}})),
      "/access_token");
  for (const auto& token :
       {fixture.session, changed, elsewhere, string_at(tokens, "/refresh_token"), fixture.key,
        fixture.management.place.issue_token("marketplace-a"), std::string("ak_unknown"), std::string("x")})
    EXPECT_EQ(fixture.introspect_token(token).body, inactive) << token;
}

TEST_P(IntrospectionOverHttp, IsLimitedToTheResourceOfTheKey) {
  introspection_fixture fixture(GetParam());
  const auto other = first_word(fixture.management.place.run_or_throw(
      {"tool-server-key", "issue", "--resource", "https://other.example/"}));
  const auto token = string_at(
      fixture.helper.exchange(fixture.helper.code(fixture.ana, {{"resource", "https://other.example"}})),
      "/access_token");
  EXPECT_EQ(json_at(introspect(fixture.management, other, token).body, "/active"), "true");
  EXPECT_EQ(fixture.introspect_token(token).body, inactive);
}

TEST_P(Introspection, RequiresAValidKey) {
  introspection_fixture fixture(GetParam());
  const auto introspect_with = [&](const header_fields& fields) {
    auto all = fields;
    all.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    return send_request(fixture.management.server->port(), "POST", "/oauth/introspect", all, "token=x");
  };
  for (const auto& fields : {header_fields{}, header_fields{{"Authorization", "Bearer tk_unknown"}},
                             header_fields{{"Authorization", "Basic " + fixture.key}},
                             header_fields{{"Authorization", "Bearer " + fixture.session}},
                             header_fields{{"Authorization", "Bearer " + fixture.key},
                                           {"Authorization", "Bearer " + fixture.key}}}) {
    const auto refused = introspect_with(fields);
    EXPECT_EQ(refused.status, 401U);
    EXPECT_EQ(refused.header("www-authenticate"), R"(Bearer realm="roost")");
    EXPECT_EQ(refused.body, unauthorized("Unauthorized"));
  }
  EXPECT_EQ(introspect_with({{"Authorization", "Bearer " + fixture.key}}).status, 200U);
  const auto id = fixture.management.place.run_or_throw({"tool-server-key", "list"}).substr(0, 36);
  EXPECT_EQ(fixture.management.place.run({"tool-server-key", "revoke", id}).status, 0);
  EXPECT_EQ(introspect_with({{"Authorization", "Bearer " + fixture.key}}).status, 401U);
}

TEST_P(IntrospectionOverHttp, RequiresAToken) {
  const introspection_fixture fixture(GetParam());
  const auto refused = fixture.introspect_token("");
  EXPECT_EQ(refused.status, 400U);
  EXPECT_EQ(oauth_error_of(refused), "invalid_request");
}

TEST_P(Introspection, AcceptsApiKeysOfUsers) {
  introspection_fixture fixture(GetParam());
  const auto key = first_word(fixture.management.place.run_or_throw(
      {"api-key", "issue", "ana@casaverde.example", "--name", "reports"}));
  EXPECT_THAT(key, StartsWith("ak_"));
  const auto response = fixture.introspect_token(key);
  EXPECT_EQ(json_at(response.body, "/active"), "true");
  EXPECT_EQ(string_at(response, "/username"), "ana@casaverde.example");
  EXPECT_EQ(string_at(response, "/tokenSource"), "api_key");
  EXPECT_EQ(string_at(response, "/scope"), "bookings team");
  EXPECT_EQ(json_at(response.body, "/exp"), "");
  const auto list = fixture.management.place.run_or_throw({"api-key", "list"});
  EXPECT_THAT(list, AllOf(HasSubstr("reports"), HasSubstr("live")));
  fixture.management.place.run_or_throw({"api-key", "revoke", list.substr(0, 36)});
  EXPECT_EQ(fixture.introspect_token(key).body, inactive);
  EXPECT_EQ(fixture.management.place.run({"api-key", "issue", "nobody@casaverde.example"}).status, 1);
}

TEST_P(Introspection, AcceptsAnApiKeyOnlyForItsResource) {
  introspection_fixture fixture(GetParam());
  const auto& place = fixture.management.place;
  const std::string other_resource = "https://other.example/mcp";
  const auto other =
      first_word(place.run_or_throw({"tool-server-key", "issue", "--resource", other_resource}));
  const auto usual_key = first_word(place.run_or_throw({"api-key", "issue", "ana@casaverde.example"}));
  const auto other_key = first_word(
      place.run_or_throw({"api-key", "issue", "ana@casaverde.example", "--resource", other_resource}));
  EXPECT_EQ(json_at(fixture.introspect_token(usual_key).body, "/active"), "true");
  EXPECT_EQ(introspect(fixture.management, other, usual_key).body, inactive) << "another tool server";
  EXPECT_EQ(json_at(introspect(fixture.management, other, other_key).body, "/active"), "true");
  EXPECT_EQ(fixture.introspect_token(other_key).body, inactive);
  EXPECT_THAT(place.run_or_throw({"api-key", "list"}), HasSubstr(other_resource));
}

TEST_P(Introspection, AppliesChangesOfTheUser) {
  introspection_fixture fixture(GetParam());
  const auto token = string_at(fixture.helper.connect(fixture.ana), "/access_token");
  fixture.management.place.import(portfolio_of(1, {{account_pointer + "/aiAreas", R"({"team":"edit"})"},
                                                   {account_pointer + "/users/0/role", R"("Manager")"}}));
  EXPECT_TRUE(eventually([&] { return fixture.introspect_token(token).body == inactive; }))
      << "the role lacks Mcp";
}

TEST_P(Introspection, IsPossibleWithPublishedKeys) {
  introspection_fixture fixture(GetParam(), {{"connector.signing", R"("es256")"}});
  const auto jwks = send_request(fixture.management.server->port(), "GET", "/oauth/jwks");
  EXPECT_EQ(jwks.status, 200U);
  EXPECT_EQ(jwks.header("access-control-allow-origin"), "*");
  EXPECT_EQ(json_at(jwks.body, "/keys/0/kty"), R"("EC")");
  EXPECT_EQ(json_at(jwks.body, "/keys/0/alg"), R"("ES256")");
  const auto metadata =
      send_request(fixture.management.server->port(), "GET", "/.well-known/oauth-authorization-server");
  EXPECT_EQ(string_at(metadata, "/jwks_uri"), "http://127.0.0.1:8080/oauth/jwks");
  const auto token = string_at(fixture.helper.connect(fixture.ana), "/access_token");
  EXPECT_EQ(json_at(fixture.introspect_token(token).body, "/active"), "true");
  fixture.management.place.run_or_throw({"secrets", "rotate"});
  EXPECT_EQ(json_at(fixture.introspect_token(token).body, "/active"), "true")
      << "signed with the previous key";
  EXPECT_FALSE(
      json_at(send_request(fixture.management.server->port(), "GET", "/oauth/jwks").body, "/keys/1/kid")
          .empty());
}

} // namespace roost::testing::introspection_test
