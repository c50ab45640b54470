#include "service/support/assistant.hpp"
#include "support/tls_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

/// Assistants that are known by a document at their address instead of a registration (Management API, OAuth
/// client registration; draft-ietf-oauth-client-id-metadata-document).
namespace roost::testing::client_documents_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
ROOST_FOR_EACH_STORE(AssistantsDocuments);

std::string json_response(const std::string& body) {
  return http_response(body, "200 OK", "Content-Type: application/json\r\n");
}

/// The web site of an assistant's maker, with a document about it.
class site {
public:
  site() {
    publish(json_response(R"({"client_id":")" + address() +
                          R"(","client_name":"Rent Helper","redirect_uris":[")" + loopback_redirect +
                          R"("],"token_endpoint_auth_method":"none"})"));
  }

  std::string host() const { return "localhost:" + std::to_string(server_.port()); }
  std::string address() const { return server_.url("localhost", "/client.json"); }
  std::string certificate_file() const { return own_.certificate_file; }
  int visits() const { return server_.connections(); }

  void publish(std::string answer) {
    const std::lock_guard lock{mutex_};
    answer_ = std::move(answer);
  }

private:
  std::string answer() const {
    const std::lock_guard lock{mutex_};
    return answer_;
  }

  tests::temporary_folder folder_;
  certificate own_{folder_.path()};
  mutable std::mutex mutex_;
  std::string answer_;
  tls_server server_{own_, [this](const std::string&) { return answer(); }};
};

management_scene scene_of(store_kind kind, const site& maker, std::map<std::string, std::string> more = {}) {
  more.insert({{"connector.client_documents", "[\"" + maker.host() + "\"]"},
               {"connector.client_documents_ca", '"' + maker.certificate_file() + '"'},
               {"connector.client_document_addresses", R"("any")"}});
  return connector_scene(kind, more);
}

raw_response consent_page(management_scene& scene, const assistant& helper) {
  page_visit ana(scene.browser());
  return ana.open(helper.consent_path());
}

void expect_unknown(management_scene& scene, const std::string& address) {
  const assistant helper(scene, loopback_redirect, address);
  const auto page = consent_page(scene, helper);
  EXPECT_EQ(page.status, 400U) << address;
  EXPECT_THAT(page.body, AllOf(HasSubstr("<h1>Invalid request</h1>"), HasSubstr("remove the connection")));
  const auto refused = helper.exchange("a code");
  EXPECT_EQ(refused.status, 401U) << address;
  EXPECT_EQ(oauth_error_of(refused), "invalid_client") << address;
}

TEST_P(AssistantsDocuments, LetAnAssistantInThatNeverRegistered) {
  const site maker;
  auto scene = scene_of(GetParam(), maker);
  EXPECT_THAT(ask(scene.server->port(), "GET", "/.well-known/oauth-authorization-server").body,
              HasSubstr(R"("client_id_metadata_document_supported":true)"));
  const assistant helper(scene, loopback_redirect, maker.address());
  page_visit ana(scene.browser());
  ana.sign_in(scene);
  EXPECT_THAT(ana.open(helper.consent_path()).body, HasSubstr("<h1>Authorize Rent Helper</h1>"));
  const auto tokens = helper.connect(ana);
  EXPECT_EQ(helper.refresh(text_at(tokens, "/refresh_token")).status, 200U);
  EXPECT_THAT(scene.place.run_well({"connector", "list"}), HasSubstr(maker.address()));
  EXPECT_EQ(maker.visits(), 1) << "the document is kept for five minutes";
}

TEST_P(AssistantsDocuments, AreNotNeededForARefresh) {
  auto maker = std::make_unique<site>();
  auto scene = scene_of(GetParam(), *maker);
  const assistant helper(scene, loopback_redirect, maker->address());
  page_visit ana(scene.browser());
  ana.sign_in(scene);
  const auto tokens = helper.connect(ana);
  maker.reset();
  EXPECT_EQ(scene.server->stop(), 0);
  scene.server.emplace(scene.place); // which has read no document
  const assistant later(scene, loopback_redirect, helper.id);
  EXPECT_EQ(later.refresh(text_at(tokens, "/refresh_token")).status, 200U);
}

TEST_P(AssistantsDocuments, AreNotOfferedWhereNoHostIsNamed) {
  const site maker;
  auto scene = connector_scene(GetParam());
  EXPECT_THAT(ask(scene.server->port(), "GET", "/.well-known/oauth-authorization-server").body,
              Not(HasSubstr("client_id_metadata_document_supported")));
  expect_unknown(scene, maker.address());
  EXPECT_EQ(maker.visits(), 0);
}

TEST_P(AssistantsDocuments, OfOtherHostsAreNotEvenFetched) {
  const site maker, stranger;
  auto scene = scene_of(GetParam(), maker);
  expect_unknown(scene, stranger.address());
  EXPECT_EQ(stranger.visits(), 0);
  const auto port = maker.host().substr(maker.host().find(':'));
  for (const auto* other : {"127.0.0.1", "LOCALHOST.", "[::1]", "localhost.evil.example", "me@localhost"})
    expect_unknown(scene, "https://" + std::string(other) + port + "/client.json");
  expect_unknown(scene, "https://" + maker.host() + "/");
  expect_unknown(scene, "http://" + maker.host() + "/client.json");
  EXPECT_EQ(maker.visits(), 0);
}

TEST_P(AssistantsDocuments, ThatCannotBeUsedMakeAnInvalidRequest) {
  site maker;
  auto scene = scene_of(GetParam(), maker);
  const std::string json_type = "Content-Type: application/json\r\n";
  const std::string redirects = R"(,"redirect_uris":[")" + loopback_redirect + R"("])";
  int cases = 0;
  // An address of its own for each, for what became of an earlier one is kept.
  const auto expect_no_use = [&](auto&& response_about) {
    const auto address = maker.address() + "?" + std::to_string(++cases);
    maker.publish(response_about(R"({"client_id":")" + address + R"(")"));
    expect_unknown(scene, address);
  };
  for (const auto& members :
       {std::string(), R"(,"redirect_uris":[])" + std::string(), redirects + R"(,"client_secret":"s")",
        redirects + R"(,"token_endpoint_auth_method":"private_key_jwt")", redirects + std::string(17000, ' '),
        R"(,"redirect_uris":["https://evil.example/callback"])" + std::string(), redirects + ",",
        redirects + redirects})
    expect_no_use([&](const std::string& begin) { return json_response(begin + members + "}"); });
  expect_no_use([&](const std::string& begin) { return http_response(begin + redirects + "}"); });
  expect_no_use([&](const std::string&) {
    return json_response(R"({"client_id":"https://other.example/client.json")" + redirects + "}");
  });
  expect_no_use([&](const std::string&) { return http_response("{}", "404 Not Found", json_type); });
  expect_no_use([&](const std::string& begin) {
    return http_response(begin + redirects + "}", "302 Found", json_type + "Location: /other.json\r\n");
  });
  EXPECT_EQ(maker.visits(), cases);
}

TEST_P(AssistantsDocuments, AreNotFetchedFromAPrivateAddress) {
  const site maker;
  auto scene = scene_of(GetParam(), maker, {{"connector.client_document_addresses", R"("public")"}});
  expect_unknown(scene, maker.address());
  EXPECT_EQ(maker.visits(), 0);
}

TEST_P(AssistantsDocuments, OfAHostThatIsDownMakeAClientTryAgainLater) {
  auto maker = std::make_unique<site>();
  auto scene = scene_of(GetParam(), *maker);
  const assistant helper(scene, loopback_redirect, maker->address());
  maker.reset();
  const auto page = consent_page(scene, helper);
  EXPECT_EQ(page.status, 503U);
  EXPECT_FALSE(page.header("retry-after").empty());
  const auto refused = helper.exchange("a code");
  EXPECT_EQ(refused.status, 503U);
  EXPECT_FALSE(refused.header("retry-after").empty());
}

} // namespace roost::testing::client_documents_test
