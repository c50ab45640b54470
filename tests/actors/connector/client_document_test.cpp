#include "actors/connector/client_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::actors::client_document_test {

using enum client_document_refusal;
using ::testing::ElementsAre;

const std::string address = "https://claude.example/oauth/client.json";

class ClientDocument : public ::testing::Test {
protected:
  client_document_verdict check(const std::string& document) const { return policy.check(address, document); }

  /// Checks a document with these members and the client's id.
  client_document_verdict check_with(const std::string& members) const {
    return check(R"({"client_id":")" + address + R"(",)" + members + "}");
  }
  store::oauth_client client_with(const std::string& members) const {
    return std::get<store::oauth_client>(check_with(members));
  }
  static client_document_refusal refusal(const client_document_verdict& verdict) {
    return std::get<client_document_refusal>(verdict);
  }

  const client_document_policy policy{
      {"claude.example", "tools.example:8443"},
      oauth::redirect_policy({"https://claude.example/callback"}, {"https://tools.example/a"})};
  const std::string redirects = R"("redirect_uris":["https://claude.example/callback"])";
};

TEST_F(ClientDocument, MayBeAtAllowedHosts) {
  for (const auto* url :
       {"https://claude.example/client.json", "https://claude.example/a/b", "https://claude.example/a?b=c",
        "https://claude.example:443/a", "https://CLAUDE.example/a", "https://tools.example:8443/a"})
    EXPECT_TRUE(policy.allows_address(url)) << url;
}

TEST_F(ClientDocument, IsRefusedAtOtherHosts) {
  for (const auto* url :
       {"https://evil.example/a", "https://claude.example.evil.example/a", "https://evilclaude.example/a",
        "https://a.claude.example/a", "https://claude.example./a", "https://claude.example:8443/a",
        "https://tools.example/a", "https://tools.example:8444/a", "https://127.0.0.1/a",
        "https://2130706433/a", "https://[::1]/a", "https://localhost/a"})
    EXPECT_FALSE(policy.allows_address(url)) << url;
}

TEST_F(ClientDocument, MustHaveAWellFormedUrl) {
  for (const auto* url : {"",
                          "claude.example/a",
                          "http://claude.example/a",
                          "HTTPS://claude.example/a",
                          "https:/claude.example/a",
                          "https://claude.example",
                          "https://claude.example/",
                          "https://claude.example?a=b",
                          "https://claude.example/a#b",
                          "https://claude.example/a#",
                          "https://user@claude.example/a",
                          "https://user:secret@claude.example/a",
                          "https://@claude.example/a",
                          "https://evil.example\\@claude.example/a",
                          "https://claude.example@evil.example/a",
                          "https://claude.example/./a",
                          "https://claude.example/a/../b",
                          "https://claude.example/a/%2e%2e/b",
                          "https://claude.example/a/%2E/b",
                          "https://claude.example/..",
                          "https://claude.example/a%2f..%2fb",
                          "https://claude.example/a%252e",
                          "https://claude.example/a b",
                          "https://claude.example/a\r\nb",
                          "https://claude.example:0/a",
                          "https://claude.example:65979/a",
                          "https://claude%2eexample/a"})
    EXPECT_FALSE(policy.allows_address(url)) << url;
  EXPECT_FALSE(policy.allows_address("https://claude.example/" + std::string(3'000, 'a')));
}

TEST_F(ClientDocument, MayBeAtAnyHostWithAStar) {
  const client_document_policy any{{"claude.example", "*"}, {{}, {}}};
  for (const auto* url : {"https://other.example/a", "https://other.example:8443/a", address.c_str()})
    EXPECT_TRUE(any.allows_address(url)) << url;
  for (const auto* url : {"http://other.example/a", "https://other.example/", "https://me@other.example/a"})
    EXPECT_FALSE(any.allows_address(url)) << url;
  EXPECT_TRUE(any.lists_host_of(address));
  EXPECT_FALSE(any.lists_host_of("https://other.example/a"));
  EXPECT_FALSE(any.lists_host_of("https://*/a"));
}

TEST_F(ClientDocument, IsRefusedWithoutAllowedHosts) {
  EXPECT_FALSE(client_document_policy({}, {{}, {}}).allows_address(address));
}

TEST_F(ClientDocument, DescribesTheClient) {
  const auto client =
      client_with(redirects + R"(,"client_name":" My\nassistant ","client_uri":"https://claude.example",
      "token_endpoint_auth_method":"none","grant_types":["refresh_token","implicit"],"scope":"bookings","other":{"a":null})");
  EXPECT_EQ(client.id, address);
  EXPECT_EQ(client.name, "My assistant");
  EXPECT_EQ(client.auth_method, store::public_client);
  EXPECT_EQ(client.scope, "bookings");
  EXPECT_EQ(client.secret_hash, std::nullopt);
  EXPECT_THAT(client.redirect_uris, ElementsAre("https://claude.example/callback"));
  EXPECT_THAT(client.grant_types, ElementsAre("refresh_token"));
}

TEST_F(ClientDocument, NeedsOnlyRedirectUris) {
  const auto client = client_with(redirects);
  EXPECT_EQ(client.name, "claude.example") << "the host";
  EXPECT_EQ(client.scope, std::nullopt);
  EXPECT_THAT(client.grant_types, ElementsAre("authorization_code", "refresh_token"));
  EXPECT_EQ(client_with(redirects + R"(,"client_name":" ")").name, "claude.example");
}

TEST_F(ClientDocument, MayContainNullForAMissingMember) {
  const auto client = client_with(
      redirects + R"(,"client_name":null,"scope":null,"grant_types":null,"token_endpoint_auth_method":null)");
  EXPECT_EQ(client.name, "claude.example");
  EXPECT_EQ(client.scope, std::nullopt);
  EXPECT_THAT(client.grant_types, ElementsAre("authorization_code", "refresh_token"));
  EXPECT_EQ(refusal(check_with(R"("redirect_uris":null)")), bad_redirect);
}

TEST_F(ClientDocument, MustContainItsOwnUrl) {
  for (const auto* id :
       {R"("https://claude.example/oauth/client.json/")", R"("https://CLAUDE.example/oauth/client.json")",
        R"("https://claude.example:443/oauth/client.json")", R"("https://evil.example/")", R"("")"})
    EXPECT_EQ(refusal(check("{\"client_id\":" + std::string(id) + "," + redirects + "}")), other_client)
        << id;
  EXPECT_EQ(refusal(check("{" + redirects + "}")), other_client);
}

TEST_F(ClientDocument, MayContainOnlyAllowedRedirects) {
  EXPECT_EQ(
      client_with(
          R"("redirect_uris":["http://localhost/cb","http://127.0.0.1:5000/","https://tools.example/a/b"])")
          .redirect_uris.size(),
      3U);
  for (const auto* uris : {R"([])", R"(["https://evil.example/callback"])", R"(["javascript:alert"])",
                           R"(["https://claude.example/callback#"])", R"([""])"})
    EXPECT_EQ(refusal(check_with("\"redirect_uris\":" + std::string(uris))), bad_redirect) << uris;
  EXPECT_EQ(refusal(check(R"({"client_id":")" + address + "\"}")), bad_redirect);
}

TEST_F(ClientDocument, MayContainOtherRedirectsWhichAreSkipped) {
  const auto client = client_with(
      R"("redirect_uris":["https://evil.example/","https://claude.example/callback","com.example.app:/cb"])");
  EXPECT_THAT(client.redirect_uris, ElementsAre("https://claude.example/callback"));
}

TEST_F(ClientDocument, IsRefusedForClientsWithSecrets) {
  for (const auto* members :
       {R"("token_endpoint_auth_method":"client_secret_post")",
        R"("token_endpoint_auth_method":"private_key_jwt")", R"("token_endpoint_auth_method":"")",
        R"("client_secret":"s")", R"("client_secret":null)", R"("client_secret_expires_at":0)"})
    EXPECT_EQ(refusal(check_with(redirects + "," + members)), needs_secret) << members;
}

TEST_F(ClientDocument, MustBeAnObjectWithMembersOfTheRightTypes) {
  for (const auto* document : {"", "null", "[]", "\"text\"", "{", "{} {}", "<html>", "{\"client_id\":7}"})
    EXPECT_EQ(refusal(check(document)), malformed) << document;
  for (const auto* members :
       {R"("redirect_uris":"https://claude.example/callback")", R"("redirect_uris":[7])",
        R"("redirect_uris":["https://claude.example/callback"],"client_name":7)",
        R"("redirect_uris":["https://claude.example/callback"],"grant_types":"refresh_token")",
        R"("redirect_uris":["https://claude.example/callback"],"scope":["bookings"])"})
    EXPECT_EQ(refusal(check_with(members)), malformed) << members;
  EXPECT_EQ(refusal(check_with(redirects + ",\"client_name\":\"\xff\"")), malformed);
}

TEST_F(ClientDocument, MustNotContainNul) {
  for (const auto* members :
       {R"("client_name":"a\u0000b")", R"("scope":"a\u0000b")", R"("grant_types":["\u0000"])"})
    EXPECT_EQ(refusal(check_with(redirects + "," + members)), malformed) << members;
  const auto document = "{\"client_id\":\"" + address + "\"," + redirects + "}";
  EXPECT_EQ(refusal(check(document + std::string(1, '\0') + "{")), malformed);
}

TEST_F(ClientDocument, MayHaveNumbersOfAnySize) {
  EXPECT_EQ(client_with(redirects + R"(,"number":[1e400,)" + std::string(400, '7') + "]").id, address);
}

TEST_F(ClientDocument, MustNotDuplicateMembers) {
  EXPECT_EQ(refusal(check_with(redirects + ",\"client_id\":\"" + address + "\"")), malformed);
  EXPECT_EQ(refusal(check_with(redirects + "," + redirects)), malformed);
}

TEST_F(ClientDocument, MayBeDeeplyNested) {
  EXPECT_EQ(client_with(redirects + ",\"other\":" + std::string(8'000, '[') + std::string(8'000, ']')).id,
            address);
}

} // namespace roost::actors::client_document_test
