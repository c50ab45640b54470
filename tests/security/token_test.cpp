#include "support/signing.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::security::token_test {

using namespace std::chrono_literals;

const std::chrono::system_clock::time_point now = std::chrono::sys_seconds(1'790'000'000s) + 250ms;

constexpr std::string_view good_header = R"({"alg":"HS256","typ":"JWT"})";
constexpr std::string_view good_payload =
    R"({"platform":"marketplace-a","jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",)"
    R"("iat":1790000000,"exp":1790000060})";

std::optional<token_claims> verify(const std::string& text) { return verify_token(test_key(1), text); }

TEST(IssuedTokens, CarryPlatformIdAndTheirTimes) {
  const auto token = issue_token(test_key(1), "marketplace-a", now, 24h * 365);
  EXPECT_EQ(token.claims.platform, "marketplace-a");
  EXPECT_EQ(token.claims.issued, std::chrono::sys_seconds(1'790'000'000s));
  EXPECT_EQ(token.claims.expires - token.claims.issued, 24h * 365);
  EXPECT_EQ(verify(token.text), token.claims);
}

TEST(IssuedTokens, DifferEvenWithinASecond) {
  const auto first = issue_token(test_key(1), "marketplace-a", now, 1h);
  const auto second = issue_token(test_key(1), "marketplace-a", now, 1h);
  EXPECT_NE(first.claims.id, second.claims.id);
  EXPECT_NE(first.text, second.text);
}

TEST(IssuedTokens, EndOnTheSecond) {
  const auto token = issue_token(test_key(1), "marketplace-a", now, 60s);
  const auto end = token.claims.expires;
  EXPECT_TRUE(verify_token(test_key(1), token.text, end - 1ns));
  EXPECT_FALSE(verify_token(test_key(1), token.text, end));
  EXPECT_FALSE(verify_token(test_key(1), token.text, end + 24h));
}

TEST(TokenSignatures, AreThoseOfOneKey) {
  const auto token = issue_token(test_key(1), "marketplace-a", now, 1h);
  EXPECT_FALSE(verify_token(test_key(2), token.text));
}

TEST(TokenSignatures, CoverEveryCharacter) {
  const auto token = issue_token(test_key(1), "marketplace-a", now, 1h);
  for (std::size_t i = 0; i < token.text.size(); ++i)
    for (const char other : {'A', 'B', '-', '.', '=', '+', ' ', '\0'}) {
      auto tampered = token.text;
      if (tampered[i] == other) continue;
      tampered[i] = other;
      EXPECT_FALSE(verify(tampered)) << "character " << i << " as " << static_cast<int>(other);
    }
}

TEST(TokenSignatures, CoverTheWholeText) {
  const auto token = issue_token(test_key(1), "marketplace-a", now, 1h).text;
  for (std::size_t length = 0; length < token.size(); ++length)
    EXPECT_FALSE(verify(token.substr(0, length))) << length;
  for (const auto& text : {token + 'A', token + '.', token + '=', ' ' + token, token + ' ', token + '\n',
                           token + std::string(1, '\0'), token + std::string("\0more", 5), token + token})
    EXPECT_FALSE(verify(text)) << text;
  EXPECT_FALSE(verify(token + std::string(100'000, 'A')));
}

TEST(HandMadeTokens, AreAcceptedWhenTheyAreAsOurs) {
  const auto claims = verify(hand_made_token(good_header, good_payload, EVP_sha256(), test_key(1)));
  ASSERT_TRUE(claims);
  EXPECT_EQ(claims->platform, "marketplace-a");
  EXPECT_EQ(claims->expires - claims->issued, 60s);
}

TEST(TokenAlgorithms, NoneIsRefused) {
  for (const auto* header :
       {R"({"alg":"none"})", R"({"alg":"none","typ":"JWT"})", R"({"alg":"None"})", R"({"alg":"NONE"})",
        R"({"typ":"JWT"})", R"({"alg":""})", R"({"alg":null})", "{}"}) {
    const auto content = to_base64url(std::string_view(header)) + '.' + to_base64url(good_payload);
    EXPECT_FALSE(verify(content)) << header;
    EXPECT_FALSE(verify(content + '.')) << header;
    EXPECT_FALSE(verify(hand_made_token(header, good_payload, EVP_sha256(), test_key(1)))) << header;
  }
}

TEST(TokenAlgorithms, OtherLengthsAreRefusedThoughTheKeyIsRight) {
  EXPECT_FALSE(verify(hand_made_token(R"({"alg":"HS384"})", good_payload, EVP_sha384(), test_key(1))));
  EXPECT_FALSE(verify(hand_made_token(R"({"alg":"HS512"})", good_payload, EVP_sha512(), test_key(1))));
  EXPECT_FALSE(verify(hand_made_token(good_header, good_payload, EVP_sha512(), test_key(1))));
}

TEST(TokenAlgorithms, APublicKeysNameDoesNotTurnTheSecretIntoOne) {
  for (const auto* header :
       {R"({"alg":"RS256"})", R"({"alg":"ES256"})", R"({"alg":"PS256"})", R"({"alg":"HS256","alg":"RS256"})"})
    EXPECT_FALSE(verify(hand_made_token(header, good_payload, EVP_sha256(), test_key(1)))) << header;
}

TEST(TokenClaims, MustAllBeThereAndOfTheirType) {
  for (const auto* payload :
       {"", "{}", "[]", "null", "not json",
        R"({"jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","iat":1790000000,"exp":1790000060})",
        R"({"platform":"a","iat":1790000000,"exp":1790000060})",
        R"({"platform":"a","jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","exp":1790000060})",
        R"({"platform":"a","jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","iat":1790000000})",
        R"({"platform":"","jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","iat":1790000000,"exp":1790000060})",
        R"({"platform":7,"jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","iat":1790000000,"exp":1790000060})",
        R"({"platform":"a","jti":"one","iat":1790000000,"exp":1790000060})",
        R"({"platform":"a","jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","iat":"now","exp":1790000060})",
        R"({"platform":"a","jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","iat":1790000000,"exp":true})",
        R"({"platform":"a","jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","iat":1790000000,"exp":1790000000})",
        R"({"platform":"a","jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","iat":-5,"exp":1790000060})"})
    EXPECT_FALSE(verify(hand_made_token(good_header, payload, EVP_sha256(), test_key(1)))) << payload;
}

} // namespace roost::security::token_test
