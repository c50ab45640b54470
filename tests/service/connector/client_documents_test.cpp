#include "service/support/assistant.hpp"
#include "support/web_site.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Assistants identified by a client document at their address instead of a registration (Management API,
/// OAuth client registration; draft-ietf-oauth-client-id-metadata-document).
namespace roost::testing::client_documents_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
ROOST_FOR_EACH_STORE(ConnectionsByDocument);
ROOST_FOR_SQLITE(ClientDocuments);

std::string json_response(const std::string& body) {
  return http_response(body, "200 OK", "Content-Type: application/json\r\n");
}

/// The web site of an assistant's vendor, with its client document.
class site : public web_site {
public:
  site() {
    publish(json_response(R"({"client_id":")" + address() +
                          R"(","client_name":"Rent Helper","redirect_uris":[")" + loopback_redirect +
                          R"("],"token_endpoint_auth_method":"none"})"));
  }

  std::string address() const { return url("/client.json"); }
  int visits() const { return connections(); }
};

management_fixture site_fixture(store_kind kind, const site& vendor,
                                std::map<std::string, std::string> more = {}) {
  more.insert({{"connector.client_documents", "[\"" + vendor.host() + "\"]"},
               {"connector.client_documents_ca", '"' + vendor.certificate_file() + '"'},
               {"connector.client_document_addresses", R"("any")"}});
  return connector_fixture(kind, more);
}

raw_response consent_page(management_fixture& fixture, const assistant& helper) {
  page_visit ana(fixture.browser());
  return ana.open(helper.consent_path());
}

void expect_unknown(management_fixture& fixture, const std::string& address) {
  const assistant helper(fixture, loopback_redirect, address);
  const auto page = consent_page(fixture, helper);
  EXPECT_EQ(page.status, 400U) << address;
  EXPECT_THAT(page.body, AllOf(HasSubstr("<h1>Invalid request</h1>"), HasSubstr("remove the connection")));
  const auto refused = helper.exchange("a code");
  EXPECT_EQ(refused.status, 401U) << address;
  EXPECT_EQ(oauth_error_of(refused), "invalid_client") << address;
}

TEST_P(ConnectionsByDocument, NeedNoRegistration) {
  const site vendor;
  auto fixture = site_fixture(GetParam(), vendor);
  EXPECT_THAT(send_request(fixture.server->port(), "GET", "/.well-known/oauth-authorization-server").body,
              HasSubstr(R"("client_id_metadata_document_supported":true)"));
  const assistant helper(fixture, loopback_redirect, vendor.address());
  page_visit ana(fixture.browser());
  ana.sign_in(fixture);
  const auto page = ana.open(helper.consent_path());
  EXPECT_THAT(page.body, HasSubstr("<h1>Authorize Rent Helper</h1>"));
  fixture.server->wait_for_event("client_document_fetched",
                                 {{"remote", "127.0.0.1"}, {"request_id", page.header("x-request-id")}});
  const auto tokens = helper.connect(ana);
  EXPECT_EQ(helper.refresh(string_at(tokens, "/refresh_token")).status, 200U);
  EXPECT_THAT(fixture.place.run_or_throw({"connector", "list"}), HasSubstr(vendor.address()));
  EXPECT_EQ(vendor.visits(), 1) << "the document is cached for five minutes";
}

TEST_P(ConnectionsByDocument, AreRefreshedWithoutTheDocument) {
  auto vendor = std::make_unique<site>();
  auto fixture = site_fixture(GetParam(), *vendor);
  const assistant helper(fixture, loopback_redirect, vendor->address());
  page_visit ana(fixture.browser());
  ana.sign_in(fixture);
  const auto tokens = helper.connect(ana);
  vendor.reset();
  EXPECT_EQ(fixture.server->stop(), 0);
  fixture.server.emplace(fixture.place); // a server that has not read the document
  const assistant later(fixture, loopback_redirect, helper.id);
  EXPECT_EQ(later.refresh(string_at(tokens, "/refresh_token")).status, 200U);
}

TEST_P(ClientDocuments, AreDisabledWithoutConfiguredHosts) {
  const site vendor;
  auto fixture = connector_fixture(GetParam());
  EXPECT_THAT(send_request(fixture.server->port(), "GET", "/.well-known/oauth-authorization-server").body,
              Not(HasSubstr("client_id_metadata_document_supported")));
  expect_unknown(fixture, vendor.address());
  EXPECT_EQ(vendor.visits(), 0);
}

TEST_P(ClientDocuments, AreNotFetchedFromOtherHosts) {
  const site vendor, outsider;
  auto fixture = site_fixture(GetParam(), vendor);
  expect_unknown(fixture, outsider.address());
  EXPECT_EQ(outsider.visits(), 0);
  const auto port = vendor.host().substr(vendor.host().find(':'));
  for (const auto* other : {"127.0.0.1", "LOCALHOST.", "[::1]", "localhost.evil.example", "me@localhost"})
    expect_unknown(fixture, "https://" + std::string(other) + port + "/client.json");
  expect_unknown(fixture, "https://" + vendor.host() + "/");
  expect_unknown(fixture, "http://" + vendor.host() + "/client.json");
  EXPECT_EQ(vendor.visits(), 0);
}

TEST_P(ClientDocuments, AreAcceptedFromUnlistedHostsWithAStarAndAWarning) {
  site outsider;
  auto fixture =
      site_fixture(GetParam(), outsider, {{"connector.client_documents", R"(["one.example", "*"])"}});
  const assistant helper(fixture, loopback_redirect, outsider.address());
  page_visit ana(fixture.browser());
  ana.sign_in(fixture);
  EXPECT_THAT(ana.open(helper.consent_path()).body,
              AllOf(HasSubstr("<h1>Authorize Rent Helper</h1>"),
                    HasSubstr("<dd>" + outsider.host() + "</dd>"), HasSubstr("does not vouch for it")));
  const auto tokens = helper.connect(ana);
  EXPECT_EQ(helper.refresh(string_at(tokens, "/refresh_token")).status, 200U);
  const auto address = outsider.address() + "?elsewhere";
  outsider.publish(json_response(R"({"client_id":")" + address +
                                 R"(","redirect_uris":["https://evil.example/callback"]})"));
  expect_unknown(fixture, address);
}

TEST_P(ClientDocuments, HaveNoWarningFromListedHosts) {
  const site vendor;
  auto fixture = site_fixture(GetParam(), vendor);
  const auto page = consent_page(fixture, assistant(fixture, loopback_redirect, vendor.address()));
  EXPECT_THAT(page.body, AllOf(HasSubstr("<dd>" + vendor.host() + "</dd>"), Not(HasSubstr("vouch"))));
}

TEST_P(ClientDocuments, WithoutANameShowTheirHost) {
  site vendor;
  auto fixture = site_fixture(GetParam(), vendor);
  vendor.publish(json_response(R"({"client_id":")" + vendor.address() +
                               R"(","redirect_uris":["https://evil.example/",")" + loopback_redirect +
                               R"("]})"));
  const auto page = consent_page(fixture, assistant(fixture, loopback_redirect, vendor.address()));
  EXPECT_THAT(page.body, HasSubstr("<h1>Authorize " + vendor.host() + "</h1>"));
}

TEST_P(ClientDocuments, MakeTheRequestInvalidIfTheyAreInvalid) {
  site vendor;
  auto fixture = site_fixture(GetParam(), vendor);
  const std::string json_type = "Content-Type: application/json\r\n";
  const std::string redirects = R"(,"redirect_uris":[")" + loopback_redirect + R"("])";
  int cases = 0;
  // Each case has its own address because results are cached.
  const auto expect_rejected = [&](auto&& response_with) {
    const auto address = vendor.address() + "?" + std::to_string(++cases);
    vendor.publish(response_with(R"({"client_id":")" + address + R"(")"));
    expect_unknown(fixture, address);
  };
  for (const auto& members :
       {std::string(), R"(,"redirect_uris":[])" + std::string(), redirects + R"(,"client_secret":"s")",
        redirects + R"(,"token_endpoint_auth_method":"private_key_jwt")", redirects + std::string(17000, ' '),
        R"(,"redirect_uris":["https://evil.example/callback"])" + std::string(), redirects + ",",
        redirects + redirects})
    expect_rejected([&](const std::string& begin) { return json_response(begin + members + "}"); });
  expect_rejected([&](const std::string& begin) { return http_response(begin + redirects + "}"); });
  expect_rejected([&](const std::string&) {
    return json_response(R"({"client_id":"https://other.example/client.json")" + redirects + "}");
  });
  expect_rejected([&](const std::string&) { return http_response("{}", "404 Not Found", json_type); });
  expect_rejected([&](const std::string& begin) {
    return http_response(begin + redirects + "}", "302 Found", json_type + "Location: /other.json\r\n");
  });
  EXPECT_EQ(vendor.visits(), cases);
}

TEST_P(ClientDocuments, AreNotFetchedFromAPrivateAddress) {
  const site vendor;
  auto fixture = site_fixture(GetParam(), vendor, {{"connector.client_document_addresses", R"("public")"}});
  expect_unknown(fixture, vendor.address());
  EXPECT_EQ(vendor.visits(), 0);
}

TEST_P(ClientDocuments, MakeTheClientRetryIfTheirHostIsUnreachable) {
  auto vendor = std::make_unique<site>();
  auto fixture = site_fixture(GetParam(), *vendor);
  const assistant helper(fixture, loopback_redirect, vendor->address());
  vendor.reset();
  const auto page = consent_page(fixture, helper);
  EXPECT_EQ(page.status, 503U);
  EXPECT_FALSE(page.header("retry-after").empty());
  const auto refused = helper.exchange("a code");
  EXPECT_EQ(refused.status, 503U);
  EXPECT_FALSE(refused.header("retry-after").empty());
}

} // namespace roost::testing::client_documents_test
