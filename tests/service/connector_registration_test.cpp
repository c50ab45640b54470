#include "service/support/assistant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

/// How assistants learn where to ask, and become known (Management API, Connector authorization; RFC 8414,
/// RFC 7591).
namespace roost::testing::connector_registration_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
ROOST_FOR_EACH_STORE(ConnectorRegistration);

raw_response register_with(const management_scene& scene, const std::string& body,
                           const std::string& type = "application/json") {
  return ask(scene.server->port(), "POST", "/oauth/register", {{"Content-Type", type}}, body);
}

std::string oauth_error(const std::string& error, const std::string& description) {
  return R"({"error":")" + error + R"(","error_description":")" + description + R"("})";
}

TEST_P(ConnectorRegistration, IsToldByTheMetadataAtBothAddresses) {
  const auto scene = connector_scene(GetParam(), {{"server.base_url", R"("https://roost.example")"}});
  const auto found = ask(scene.server->port(), "GET", "/.well-known/oauth-authorization-server");
  EXPECT_EQ(found.status, 200U);
  EXPECT_EQ(found.header("access-control-allow-origin"), "*");
  EXPECT_EQ(found.header("cache-control"), "public, max-age=3600");
  EXPECT_EQ(
      found.body,
      R"({"issuer":"https://roost.example","authorization_endpoint":"https://roost.example/oauth/authorize",)"
      R"("token_endpoint":"https://roost.example/oauth/token",)"
      R"("registration_endpoint":"https://roost.example/oauth/register","response_types_supported":["code"],)"
      R"("grant_types_supported":["authorization_code","refresh_token"],)"
      R"("code_challenge_methods_supported":["S256"],)"
      R"("token_endpoint_auth_methods_supported":["none","client_secret_post"],)"
      R"("scopes_supported":["bookings","listings","properties","tenants","maintenance","payments","bills",)"
      R"("owners","analytics","channels","communication","support","scheduledReports","team"],)"
      R"("authorization_response_iss_parameter_supported":true,)"
      R"("introspection_endpoint":"https://roost.example/oauth/introspect"})");
  const auto same = ask(scene.server->port(), "GET", "/.well-known/openid-configuration");
  EXPECT_EQ(same.body, found.body);
  EXPECT_EQ(same.header("access-control-allow-origin"), "*");
  const auto elsewhere = ask(scene.server->port(), "GET", "/.well-known/oauth-protected-resource");
  EXPECT_EQ(elsewhere.status, 404U);
  EXPECT_EQ(text_at(elsewhere, "/error"), "NotFoundException");
  EXPECT_EQ(ask(scene.server->port(), "GET", "/oauth/jwks").status, 404U);
}

TEST_P(ConnectorRegistration, IsToldBehindThePathOfTheService) {
  const auto scene = connector_scene(GetParam(), {{"server.base_url", R"("https://host.example/roost")"}});
  const auto found = ask(scene.server->port(), "GET", "/.well-known/oauth-authorization-server/roost");
  EXPECT_EQ(found.status, 200U);
  EXPECT_EQ(text_at(found, "/issuer"), "https://host.example/roost");
}

TEST_P(ConnectorRegistration, GivesAnIdAndSaysWhatItKept) {
  const auto scene = connector_scene(GetParam());
  const auto made = register_with(
      scene,
      R"({"redirect_uris":["http://localhost:1/cb","https://assistant.example/callback"],)"
      R"("client_name":"Rent Helper","grant_types":["authorization_code","password"],"scope":"bookings x",)"
      R"("software_id":"unknown members are ignored","logo_uri":5})");
  EXPECT_EQ(made.status, 201U);
  EXPECT_EQ(made.header("cache-control"), "no-store");
  EXPECT_EQ(made.header("access-control-allow-origin"), "*");
  EXPECT_THAT(text_at(made, "/client_id"), StartsWith("mcp-"));
  EXPECT_THAT(
      made.body,
      AllOf(HasSubstr(R"("redirect_uris":["http://localhost:1/cb","https://assistant.example/callback"])"),
            HasSubstr(R"("grant_types":["authorization_code"],"token_endpoint_auth_method":"none",)"
                      R"("client_name":"Rent Helper","scope":"bookings x"})"),
            Not(HasSubstr("secret")), Not(HasSubstr("null"))));
}

TEST_P(ConnectorRegistration, LeavesOutWhatWasNotSaid) {
  const auto scene = connector_scene(GetParam());
  const auto made =
      register_with(scene, R"({"redirect_uris":["http://localhost/"],"client_name":null,"grant_types":[]})");
  EXPECT_EQ(made.status, 201U);
  EXPECT_THAT(made.body, AllOf(Not(HasSubstr("client_name")), Not(HasSubstr("scope")), Not(HasSubstr("null")),
                               HasSubstr(R"("grant_types":["authorization_code","refresh_token"])")));
}

TEST_P(ConnectorRegistration, GivesASecretOnceToAConfidentialClient) {
  const auto scene = connector_scene(GetParam());
  const std::string wish =
      R"({"redirect_uris":["http://localhost/"],"token_endpoint_auth_method":"client_secret_post"})";
  const auto first = register_with(scene, wish), second = register_with(scene, wish);
  EXPECT_EQ(text_at(first, "/client_secret").size(), 43U);
  EXPECT_EQ(json_at(first.body, "/client_secret_expires_at"), "0");
  EXPECT_NE(text_at(first, "/client_id"), text_at(second, "/client_id"));
  EXPECT_NE(text_at(first, "/client_secret"), text_at(second, "/client_secret"));
}

TEST_P(ConnectorRegistration, GivesWhoSaysTheSameAgainTheSameId) {
  const auto scene = connector_scene(GetParam());
  std::set<std::string> ids;
  for (int i = 0; i < 3; ++i)
    ids.insert(text_at(register_with(scene, R"({"redirect_uris":["http://localhost/"],"client_name":"A"})"),
                       "/client_id"));
  EXPECT_EQ(ids.size(), 1U);
  ids.insert(text_at(register_with(scene, R"({"redirect_uris":["http://localhost/"],"client_name":"B"})"),
                     "/client_id"));
  EXPECT_EQ(ids.size(), 2U);
}

TEST_P(ConnectorRegistration, RefusesWhatTheSpecificationRefuses) {
  const auto scene = connector_scene(GetParam());
  const auto refused = [&](const std::string& body) {
    const auto got = register_with(scene, body);
    EXPECT_EQ(got.status, 400U) << body;
    EXPECT_EQ(got.header("access-control-allow-origin"), "*");
    EXPECT_EQ(got.header("cache-control"), "no-store");
    return got.body;
  };
  const auto none = oauth_error("invalid_redirect_uri", "redirect_uris must be a non-empty array");
  for (const auto* body : {"{}", R"({"redirect_uris":""})", R"({"redirect_uris":[]})",
                           R"({"redirect_uris":{}})", R"({"redirect_uris":5})", R"({"redirect_uris":null})"})
    EXPECT_EQ(refused(body), none) << body;
  const auto bad = oauth_error("invalid_redirect_uri", "redirect_uri is not an allowed connector callback");
  for (const auto* uri :
       {"https://evil.example/cb", "javascript:alert(1)", "custom://x", "http://evil.example/",
        "https://assistant.example/callback/x", "https://assistant.example@evil.example/callback"})
    EXPECT_EQ(refused(std::string(R"({"redirect_uris":["http://localhost/",")") + uri + R"("]})"), bad)
        << uri;
  EXPECT_EQ(refused(R"({"redirect_uris":[5]})"), bad);
  EXPECT_EQ(refused(R"({"redirect_uris":["http://localhost/"],"grant_types":"authorization_code"})"),
            oauth_error("invalid_client_metadata", "grant_types must be an array"));
  for (const auto* method : {R"("client_secret_basic")", R"("private_key_jwt")", "5", "[]"})
    EXPECT_EQ(refused(std::string(R"({"redirect_uris":["http://localhost/"],"token_endpoint_auth_method":)") +
                      method + "}"),
              oauth_error("invalid_client_metadata", "unsupported token_endpoint_auth_method"));
  EXPECT_THAT(refused("{"), HasSubstr("invalid_client_metadata"));
  EXPECT_THAT(refused("[]"), HasSubstr("invalid_client_metadata"));
  EXPECT_EQ(register_with(scene, "x=1", "application/x-www-form-urlencoded").status, 415U);
}

TEST_P(ConnectorRegistration, HasALimitOfClientsInAll) {
  const auto scene = connector_scene(GetParam(), {{"connector.max_clients", "2"}});
  const auto numbered = [&](int number) {
    return register_with(scene,
                         R"({"redirect_uris":["http://localhost/)" + std::to_string(number) + R"("]})");
  };
  EXPECT_EQ(numbered(1).status, 201U);
  EXPECT_EQ(numbered(2).status, 201U);
  const auto full = numbered(3);
  EXPECT_EQ(full.status, 503U);
  EXPECT_EQ(oauth_error_of(full), "temporarily_unavailable");
  EXPECT_FALSE(full.header("retry-after").empty());
  EXPECT_EQ(numbered(1).status, 201U) << "it is known already";
}

TEST_P(ConnectorRegistration, AnswersPagesOfEverySite) {
  const auto scene = connector_scene(GetParam());
  for (const auto* path : {"/oauth/register", "/oauth/token", "/.well-known/oauth-authorization-server",
                           "/.well-known/openid-configuration"}) {
    const auto asked =
        ask(scene.server->port(), "OPTIONS", path,
            {{"Origin", "https://inspector.example"}, {"Access-Control-Request-Method", "POST"}});
    EXPECT_EQ(asked.status, 204U) << path;
    EXPECT_EQ(asked.header("access-control-allow-origin"), "*") << path;
    EXPECT_THAT(asked.header("access-control-allow-headers"), HasSubstr("mcp-protocol-version")) << path;
  }
  const auto consent =
      ask(scene.server->port(), "OPTIONS", "/oauth/authorize", {{"Origin", "https://x.example"}});
  EXPECT_EQ(consent.header("access-control-allow-origin"), "");
  const auto page = ask(scene.server->port(), "GET", "/oauth/authorize?client_id=x");
  EXPECT_EQ(page.header("access-control-allow-origin"), "");
}

TEST_P(ConnectorRegistration, HasALimitForEachAddress) {
  const auto scene =
      connector_scene(GetParam(), {{"rate_limits.register", "2"}, {"rate_limits.discovery", "1"}});
  const auto again = [&] { return register_with(scene, R"({"redirect_uris":["http://localhost/"]})"); };
  EXPECT_EQ(again().status, 201U);
  EXPECT_EQ(again().status, 201U);
  const auto refused = again();
  EXPECT_EQ(refused.status, 429U);
  EXPECT_EQ(text_at(refused, "/message"), "ThrottlerException: Too Many Requests");
  EXPECT_FALSE(refused.header("retry-after").empty());
  EXPECT_EQ(refused.header("access-control-allow-origin"), "*");
  const auto metadata = [&] { return ask(scene.server->port(), "GET", "/.well-known/openid-configuration"); };
  EXPECT_EQ(metadata().status, 200U);
  EXPECT_EQ(metadata().status, 429U);
  EXPECT_EQ(metadata().header("access-control-allow-origin"), "*");
}

TEST_P(ConnectorRegistration, OfAFloodLeavesTheServiceAsItWas) {
  const auto scene = connector_scene(GetParam(), {{"connector.max_clients", "20"}});
  std::vector<std::thread> flood;
  for (int client = 0; client < 4; ++client)
    flood.emplace_back([&, client] {
      for (int i = 0; i < 20; ++i)
        register_with(scene, R"({"redirect_uris":["http://localhost/)" + std::to_string(client * 100 + i) +
                                 R"("]})");
    });
  for (auto& each : flood) each.join();
  EXPECT_EQ(scene.server->metric(R"(roost_connector_registrations_total{result="registered"})"), 20.0);
  EXPECT_EQ(scene.server->metric(R"(roost_connector_registrations_total{result="too_many"})"), 60.0);
}

} // namespace roost::testing::connector_registration_test
