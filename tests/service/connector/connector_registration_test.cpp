#include "service/support/assistant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

/// Discovery and client registration for assistants (Management API, Connector authorization; RFC 8414, RFC
/// 7591).
namespace roost::testing::connector_registration_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
ROOST_FOR_EACH_STORE(ConnectorRegistration);
ROOST_FOR_SQLITE(ConnectorRegistrationOverHttp);

raw_response register_with(const management_fixture& fixture, const std::string& body,
                           const std::string& type = "application/json") {
  return send_request(fixture.server->port(), "POST", "/oauth/register", {{"Content-Type", type}}, body);
}

std::string oauth_error(const std::string& error, const std::string& description) {
  return R"({"error":")" + error + R"(","error_description":")" + description + R"("})";
}

TEST_P(ConnectorRegistrationOverHttp, IsDescribedByMetadataAtBothAddresses) {
  const auto fixture = connector_fixture(GetParam(), {{"server.base_url", R"("https://roost.example")"}});
  const auto metadata =
      send_request(fixture.server->port(), "GET", "/.well-known/oauth-authorization-server");
  EXPECT_EQ(metadata.status, 200U);
  EXPECT_EQ(metadata.header("access-control-allow-origin"), "*");
  EXPECT_EQ(metadata.header("cache-control"), "public, max-age=3600");
  EXPECT_EQ(
      metadata.body,
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
  const auto alias = send_request(fixture.server->port(), "GET", "/.well-known/openid-configuration");
  EXPECT_EQ(alias.body, metadata.body);
  EXPECT_EQ(alias.header("access-control-allow-origin"), "*");
  const auto elsewhere = send_request(fixture.server->port(), "GET", "/.well-known/oauth-protected-resource");
  EXPECT_EQ(elsewhere.status, 404U);
  EXPECT_EQ(string_at(elsewhere, "/error"), "NotFoundException");
  EXPECT_EQ(send_request(fixture.server->port(), "GET", "/oauth/jwks").status, 404U);
}

TEST_P(ConnectorRegistrationOverHttp, IsDescribedBelowThePathOfTheService) {
  const auto fixture =
      connector_fixture(GetParam(), {{"server.base_url", R"("https://host.example/roost")"}});
  const auto metadata =
      send_request(fixture.server->port(), "GET", "/.well-known/oauth-authorization-server/roost");
  EXPECT_EQ(metadata.status, 200U);
  EXPECT_EQ(string_at(metadata, "/issuer"), "https://host.example/roost");
}

TEST_P(ConnectorRegistration, ReturnsAnIdAndTheStoredMetadata) {
  const auto fixture = connector_fixture(GetParam());
  const auto registered = register_with(
      fixture,
      R"({"redirect_uris":["http://localhost:1/cb","https://assistant.example/callback"],)"
      R"("client_name":"Rent Helper","grant_types":["authorization_code","password"],"scope":"bookings x",)"
      R"("software_id":"unknown members are ignored","logo_uri":5})");
  EXPECT_EQ(registered.status, 201U);
  EXPECT_EQ(registered.header("cache-control"), "no-store");
  EXPECT_EQ(registered.header("access-control-allow-origin"), "*");
  EXPECT_THAT(string_at(registered, "/client_id"), StartsWith("mcp-"));
  EXPECT_THAT(
      registered.body,
      AllOf(HasSubstr(R"("redirect_uris":["http://localhost:1/cb","https://assistant.example/callback"])"),
            HasSubstr(R"("grant_types":["authorization_code"],"token_endpoint_auth_method":"none",)"
                      R"("client_name":"Rent Helper","scope":"bookings x"})"),
            Not(HasSubstr("secret")), Not(HasSubstr("null"))));
}

TEST_P(ConnectorRegistrationOverHttp, OmitsMissingMembers) {
  const auto fixture = connector_fixture(GetParam());
  const auto registered = register_with(
      fixture, R"({"redirect_uris":["http://localhost/"],"client_name":null,"grant_types":[]})");
  EXPECT_EQ(registered.status, 201U);
  EXPECT_THAT(registered.body,
              AllOf(Not(HasSubstr("client_name")), Not(HasSubstr("scope")), Not(HasSubstr("null")),
                    HasSubstr(R"("grant_types":["authorization_code","refresh_token"])")));
}

TEST_P(ConnectorRegistration, ReturnsANewSecretToEachConfidentialClient) {
  const auto fixture = connector_fixture(GetParam());
  const std::string metadata =
      R"({"redirect_uris":["http://localhost/"],"token_endpoint_auth_method":"client_secret_post"})";
  const auto first = register_with(fixture, metadata), second = register_with(fixture, metadata);
  EXPECT_EQ(string_at(first, "/client_secret").size(), 43U);
  EXPECT_EQ(json_at(first.body, "/client_secret_expires_at"), "0");
  EXPECT_NE(string_at(first, "/client_id"), string_at(second, "/client_id"));
  EXPECT_NE(string_at(first, "/client_secret"), string_at(second, "/client_secret"));
}

TEST_P(ConnectorRegistration, ReturnsTheSameIdForTheSameMetadata) {
  const auto fixture = connector_fixture(GetParam());
  std::set<std::string> ids;
  for (int i = 0; i < 3; ++i)
    ids.insert(
        string_at(register_with(fixture, R"({"redirect_uris":["http://localhost/"],"client_name":"A"})"),
                  "/client_id"));
  EXPECT_EQ(ids.size(), 1U);
  ids.insert(string_at(register_with(fixture, R"({"redirect_uris":["http://localhost/"],"client_name":"B"})"),
                       "/client_id"));
  EXPECT_EQ(ids.size(), 2U);
}

TEST_P(ConnectorRegistrationOverHttp, RefusesInvalidMetadata) {
  const auto fixture = connector_fixture(GetParam());
  const auto refused = [&](const std::string& body) {
    const auto response = register_with(fixture, body);
    EXPECT_EQ(response.status, 400U) << body;
    EXPECT_EQ(response.header("access-control-allow-origin"), "*");
    EXPECT_EQ(response.header("cache-control"), "no-store");
    return response.body;
  };
  const auto none = oauth_error("invalid_redirect_uri", "redirect_uris must be a non-empty array");
  for (const auto* body : {"{}", R"({"redirect_uris":""})", R"({"redirect_uris":[]})",
                           R"({"redirect_uris":{}})", R"({"redirect_uris":5})", R"({"redirect_uris":null})"})
    EXPECT_EQ(refused(body), none) << body;
  const auto bad = oauth_error("invalid_redirect_uri", "redirect_uri is not an allowed connector callback");
  for (const auto* uri : {"http://127.0.0.1:84186/cb", "https://evil.example/cb", "javascript:alert(1)",
                          "custom://x", "http://evil.example/", "https://assistant.example/callback/x",
                          "https://assistant.example@evil.example/callback"})
    EXPECT_EQ(refused(std::string(R"({"redirect_uris":["http://localhost/",")") + uri + R"("]})"), bad)
        << uri;
  EXPECT_EQ(refused(R"({"redirect_uris":[5]})"), bad);
  EXPECT_EQ(refused(R"({"redirect_uris":["http://localhost/"],"grant_types":"authorization_code"})"),
            oauth_error("invalid_client_metadata", "grant_types must be an array"));
  for (const auto* method : {R"("client_secret_basic")", R"("private_key_jwt")", "5", "[]"})
    EXPECT_EQ(refused(std::string(R"({"redirect_uris":["http://localhost/"],"token_endpoint_auth_method":)") +
                      method + "}"),
              oauth_error("invalid_client_metadata", "unsupported token_endpoint_auth_method"));
  for (const auto* name : {"scope", "client_name"})
    EXPECT_EQ(refused(std::string(R"({"redirect_uris":["http://localhost/"],")") + name + R"(":"a\u0000b"})"),
              oauth_error("invalid_client_metadata", std::string(name) + " must not contain a zero byte"));
  EXPECT_EQ(refused(R"({"redirect_uris":["http://localhost/\u0000"]})"), bad);
  EXPECT_THAT(refused("{"), HasSubstr("invalid_client_metadata"));
  EXPECT_THAT(refused("[]"), HasSubstr("invalid_client_metadata"));
  EXPECT_EQ(register_with(fixture, "x=1", "application/x-www-form-urlencoded").status, 415U);
}

TEST_P(ConnectorRegistration, IsRefusedOnlyWhenUsersHaveAuthorizedAllClients) {
  auto fixture = connector_fixture(GetParam(), {{"connector.max_clients", "2"}});
  page_visit ana(fixture.browser());
  ana.sign_in(fixture);
  const assistant first(fixture), second(fixture, "http://localhost:2/cb");
  first.connect(ana);
  const auto register_numbered = [&](int number) {
    return register_with(fixture,
                         R"({"redirect_uris":["http://localhost/)" + std::to_string(number) + R"("]})");
  };
  for (int stranger = 1; stranger <= 3; ++stranger) EXPECT_EQ(register_numbered(stranger).status, 201U);
  EXPECT_EQ(ana.open(second.consent_path()).status, 400U) << "the oldest that no user authorized was evicted";
  EXPECT_EQ(ana.open(first.consent_path()).status, 200U);
  const assistant third(fixture, "http://localhost:3/cb");
  third.connect(ana);
  const auto full = register_numbered(4);
  EXPECT_EQ(full.status, 503U);
  EXPECT_EQ(oauth_error_of(full), "temporarily_unavailable");
  EXPECT_FALSE(full.header("retry-after").empty());
  const assistant again(fixture, "http://localhost:3/cb");
  EXPECT_EQ(again.id, third.id) << "it is already registered";
}

TEST_P(ConnectorRegistrationOverHttp, AllowsCrossOriginRequests) {
  const auto fixture = connector_fixture(GetParam());
  for (const auto* path : {"/oauth/register", "/oauth/token", "/.well-known/oauth-authorization-server",
                           "/.well-known/openid-configuration"}) {
    const auto preflight =
        send_request(fixture.server->port(), "OPTIONS", path,
                     {{"Origin", "https://inspector.example"}, {"Access-Control-Request-Method", "POST"}});
    EXPECT_EQ(preflight.status, 204U) << path;
    EXPECT_EQ(preflight.header("access-control-allow-origin"), "*") << path;
    EXPECT_THAT(preflight.header("access-control-allow-headers"), HasSubstr("mcp-protocol-version")) << path;
  }
  const auto consent =
      send_request(fixture.server->port(), "OPTIONS", "/oauth/authorize", {{"Origin", "https://x.example"}});
  EXPECT_EQ(consent.header("access-control-allow-origin"), "");
  const auto page = send_request(fixture.server->port(), "GET", "/oauth/authorize?client_id=x");
  EXPECT_EQ(page.header("access-control-allow-origin"), "");
}

TEST_P(ConnectorRegistrationOverHttp, HasARateLimitPerAddress) {
  const auto fixture =
      connector_fixture(GetParam(), {{"rate_limits.register", "2"}, {"rate_limits.discovery", "1"}});
  const auto register_once = [&] {
    return register_with(fixture, R"({"redirect_uris":["http://localhost/"]})");
  };
  EXPECT_EQ(register_once().status, 201U);
  EXPECT_EQ(register_once().status, 201U);
  const auto refused = register_once();
  EXPECT_EQ(refused.status, 429U);
  EXPECT_EQ(string_at(refused, "/message"), "ThrottlerException: Too Many Requests");
  EXPECT_FALSE(refused.header("retry-after").empty());
  EXPECT_EQ(refused.header("access-control-allow-origin"), "*");
  const auto metadata = [&] {
    return send_request(fixture.server->port(), "GET", "/.well-known/openid-configuration");
  };
  EXPECT_EQ(metadata().status, 200U);
  EXPECT_EQ(metadata().status, 429U);
  EXPECT_EQ(metadata().header("access-control-allow-origin"), "*");
}

TEST_P(ConnectorRegistration, IsLimitedDuringAFlood) {
  const auto fixture = connector_fixture(GetParam(), {{"connector.max_clients", "20"}});
  std::vector<std::thread> flood;
  for (int client = 0; client < 4; ++client)
    flood.emplace_back([&, client] {
      for (int i = 0; i < 20; ++i)
        register_with(fixture, R"({"redirect_uris":["http://localhost/)" + std::to_string(client * 100 + i) +
                                   R"("]})");
    });
  for (auto& thread : flood) thread.join();
  EXPECT_EQ(fixture.server->metric(R"(roost_connector_registrations_total{result="registered"})"), 20.0);
  EXPECT_EQ(fixture.server->metric(R"(roost_connector_registrations_total{result="replaced"})"), 60.0);
  EXPECT_EQ(fixture.server->metric(R"(roost_connector_registrations_total{result="too_many"})"), 0.0);
}

} // namespace roost::testing::connector_registration_test
