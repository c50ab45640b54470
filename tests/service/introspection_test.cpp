#include "service/support/assistant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// What tool servers are told about tokens and keys (RFC 7662, RFC 7517).
namespace roost::testing::introspection_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
ROOST_FOR_EACH_STORE(Introspection);

const std::string inactive = R"({"active":false})";

std::string first_word(const std::string& text) { return text.substr(0, text.find_first_of(" \n")); }

struct tool_desk {
  explicit tool_desk(store_kind kind, const std::map<std::string, std::string>& settings = {})
      : scene(connector_scene(kind, settings)), helper(scene), ana(scene.browser()) {
    session = text_at(scene.sign_in(ana.browser()), "/token");
    key = first_word(scene.place.run_well({"tool-server-key", "issue"}));
  }

  raw_response about(const std::string& token) const { return introspect(scene, key, token); }

  management_scene scene;
  assistant helper;
  page_visit ana;
  std::string key, session;
};

TEST_P(Introspection, TellsWhoseATokenIsAndWhatHeMayDoNow) {
  tool_desk desk(GetParam());
  const auto token = text_at(desk.helper.connect(desk.ana), "/access_token");
  const auto told = desk.about(token);
  EXPECT_EQ(told.status, 200U);
  EXPECT_EQ(told.header("cache-control"), "no-store");
  EXPECT_EQ(json_at(told.body, "/active"), "true");
  EXPECT_EQ(text_at(told, "/sub"), "22222222-0000-4000-8000-000000000001");
  EXPECT_EQ(text_at(told, "/username"), "ana@casaverde.example");
  EXPECT_EQ(text_at(told, "/account_id"), account_id);
  EXPECT_EQ(text_at(told, "/client_id"), desk.helper.id);
  EXPECT_EQ(text_at(told, "/aud"), "https://tools.example/mcp");
  EXPECT_EQ(text_at(told, "/tokenSource"), "mcp");
  EXPECT_EQ(json_at(told.body, "/areas"),
            R"([{"area":"bookings","access":"read-only"},{"area":"team","access":"edit"}])");
  desk.scene.place.run_well({"ai-area", "set", account_id, "bookings", "edit"});
  EXPECT_THAT(desk.about(token).body, HasSubstr(R"({"area":"bookings","access":"edit"})")) << "as it is now";
  desk.scene.place.run_well({"ai-area", "set", account_id, "bookings", "off"});
  desk.scene.place.run_well({"ai-area", "set", account_id, "team", "off"});
  EXPECT_EQ(desk.about(token).body, inactive);
}

TEST_P(Introspection, TakesJsonToo) {
  const tool_desk desk(GetParam());
  const auto told = ask(desk.scene.server->port(), "POST", "/oauth/introspect",
                        {{"Authorization", "Bearer " + desk.key}, {"Content-Type", "application/json"}},
                        R"({"token":"x","token_type_hint":"access_token"})");
  EXPECT_EQ(told.body, inactive);
}

TEST_P(Introspection, KnowsNoOtherTokens) {
  tool_desk desk(GetParam());
  const auto tokens = desk.helper.connect(desk.ana);
  auto changed = text_at(tokens, "/access_token");
  changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
  const auto elsewhere =
      text_at(desk.helper.exchange(desk.helper.code(desk.ana, {{"resource", "https://other.example"}})),
              "/access_token");
  for (const auto& token :
       {desk.session, changed, elsewhere, text_at(tokens, "/refresh_token"), desk.key,
        desk.scene.place.issue_token("marketplace-a"), std::string("ak_unknown"), std::string("x")})
    EXPECT_EQ(desk.about(token).body, inactive) << token;
}

TEST_P(Introspection, IsOfTheResourceThatTheKeyIsFor) {
  tool_desk desk(GetParam());
  const auto other = first_word(
      desk.scene.place.run_well({"tool-server-key", "issue", "--resource", "https://other.example/"}));
  const auto token =
      text_at(desk.helper.exchange(desk.helper.code(desk.ana, {{"resource", "https://other.example"}})),
              "/access_token");
  EXPECT_EQ(json_at(introspect(desk.scene, other, token).body, "/active"), "true");
  EXPECT_EQ(desk.about(token).body, inactive);
}

TEST_P(Introspection, NeedsAKeyThatHasNotEnded) {
  tool_desk desk(GetParam());
  const auto with = [&](const header_fields& fields) {
    auto all = fields;
    all.emplace_back("Content-Type", "application/x-www-form-urlencoded");
    return ask(desk.scene.server->port(), "POST", "/oauth/introspect", all, "token=x");
  };
  for (const auto& fields :
       {header_fields{}, header_fields{{"Authorization", "Bearer tk_unknown"}},
        header_fields{{"Authorization", "Basic " + desk.key}},
        header_fields{{"Authorization", "Bearer " + desk.session}},
        header_fields{{"Authorization", "Bearer " + desk.key}, {"Authorization", "Bearer " + desk.key}}}) {
    const auto refused = with(fields);
    EXPECT_EQ(refused.status, 401U);
    EXPECT_EQ(refused.header("www-authenticate"), "Bearer");
    EXPECT_EQ(refused.body, unauthorized("Unauthorized"));
  }
  EXPECT_EQ(with({{"Authorization", "Bearer " + desk.key}}).status, 200U);
  const auto id = desk.scene.place.run_well({"tool-server-key", "list"}).substr(0, 36);
  EXPECT_EQ(desk.scene.place.run({"tool-server-key", "revoke", id}).status, 0);
  EXPECT_EQ(with({{"Authorization", "Bearer " + desk.key}}).status, 401U);
}

TEST_P(Introspection, NeedsAToken) {
  const tool_desk desk(GetParam());
  const auto refused = desk.about("");
  EXPECT_EQ(refused.status, 400U);
  EXPECT_EQ(oauth_error_of(refused), "invalid_request");
}

TEST_P(Introspection, TakesApiKeysOfUsers) {
  tool_desk desk(GetParam());
  const auto key = first_word(
      desk.scene.place.run_well({"api-key", "issue", "ana@casaverde.example", "--name", "reports"}));
  EXPECT_THAT(key, StartsWith("ak_"));
  const auto told = desk.about(key);
  EXPECT_EQ(json_at(told.body, "/active"), "true");
  EXPECT_EQ(text_at(told, "/username"), "ana@casaverde.example");
  EXPECT_EQ(text_at(told, "/tokenSource"), "api_key");
  EXPECT_EQ(text_at(told, "/scope"), "bookings team");
  EXPECT_EQ(json_at(told.body, "/exp"), "");
  const auto list = desk.scene.place.run_well({"api-key", "list"});
  EXPECT_THAT(list, AllOf(HasSubstr("reports"), HasSubstr("live")));
  desk.scene.place.run_well({"api-key", "revoke", list.substr(0, 36)});
  EXPECT_EQ(desk.about(key).body, inactive);
  EXPECT_EQ(desk.scene.place.run({"api-key", "issue", "nobody@casaverde.example"}).status, 1);
}

TEST_P(Introspection, FollowsTheUser) {
  tool_desk desk(GetParam());
  const auto token = text_at(desk.helper.connect(desk.ana), "/access_token");
  desk.scene.place.import(portfolio_of(1, {{the_account + "/aiAreas", R"({"team":"edit"})"},
                                           {the_account + "/users/0/role", R"("Manager")"}}));
  EXPECT_TRUE(eventually([&] { return desk.about(token).body == inactive; })) << "the role lacks Mcp";
}

TEST_P(Introspection, NeedsNoSecretWherePublicKeysSign) {
  tool_desk desk(GetParam(), {{"connector.signing", R"("es256")"}});
  const auto jwks = ask(desk.scene.server->port(), "GET", "/oauth/jwks");
  EXPECT_EQ(jwks.status, 200U);
  EXPECT_EQ(jwks.header("access-control-allow-origin"), "*");
  EXPECT_EQ(json_at(jwks.body, "/keys/0/kty"), R"("EC")");
  EXPECT_EQ(json_at(jwks.body, "/keys/0/alg"), R"("ES256")");
  const auto metadata = ask(desk.scene.server->port(), "GET", "/.well-known/oauth-authorization-server");
  EXPECT_EQ(text_at(metadata, "/jwks_uri"), "http://127.0.0.1:8080/oauth/jwks");
  const auto token = text_at(desk.helper.connect(desk.ana), "/access_token");
  EXPECT_EQ(json_at(desk.about(token).body, "/active"), "true");
  desk.scene.place.run_well({"secrets", "rotate"});
  EXPECT_EQ(json_at(desk.about(token).body, "/active"), "true") << "signed with the key before";
  EXPECT_FALSE(json_at(ask(desk.scene.server->port(), "GET", "/oauth/jwks").body, "/keys/1/kid").empty());
}

} // namespace roost::testing::introspection_test
