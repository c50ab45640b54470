#include "security/token.hpp"
#include "support/signing.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <initializer_list>
#include <string>
#include <thread>
#include <vector>

namespace roost::security::token_test {

using namespace std::chrono_literals;

const std::chrono::system_clock::time_point now = std::chrono::sys_seconds(1'790'000'000s) + 250ms;

constexpr std::string_view good_header = R"({"alg":"HS256","typ":"JWT"})";
constexpr std::string_view good_payload =
    R"({"platform":"marketplace-a","jti":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",)"
    R"("iat":1790000000,"exp":1790000060})";

std::optional<token_claims> verify(const std::string& text) { return verify_token(test_key(1), text); }

TEST(IssuedTokens, ContainPlatformIdAndTimes) {
  const auto token = issue_token(test_key(1), "marketplace-a", now, 24h * 365);
  EXPECT_EQ(token.claims.platform, "marketplace-a");
  EXPECT_EQ(token.claims.issued, std::chrono::sys_seconds(1'790'000'000s));
  EXPECT_EQ(token.claims.expires - token.claims.issued, 24h * 365);
  EXPECT_EQ(verify(token.text), token.claims);
}

TEST(IssuedTokens, DifferWithinASecond) {
  const auto first = issue_token(test_key(1), "marketplace-a", now, 1h);
  const auto second = issue_token(test_key(1), "marketplace-a", now, 1h);
  EXPECT_NE(first.claims.id, second.claims.id);
  EXPECT_NE(first.text, second.text);
}

TEST(TokenSignatures, MatchOneKeyOnly) {
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

TEST(TokenSignatures, HaveOneEncoding) {
  const auto token = issue_token(test_key(1), "marketplace-a", now, 1h).text;
  for (const char last : std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"))
    EXPECT_EQ(verify(token.substr(0, token.size() - 1) + last).has_value(), last == token.back()) << last;
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

TEST(HandMadeTokens, AreAcceptedIfValid) {
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

TEST(TokenAlgorithms, OtherHashLengthsAreRefusedWithTheRightKey) {
  EXPECT_FALSE(verify(hand_made_token(R"({"alg":"HS384"})", good_payload, EVP_sha384(), test_key(1))));
  EXPECT_FALSE(verify(hand_made_token(R"({"alg":"HS512"})", good_payload, EVP_sha512(), test_key(1))));
  EXPECT_FALSE(verify(hand_made_token(good_header, good_payload, EVP_sha512(), test_key(1))));
}

TEST(TokenAlgorithms, APublicKeyAlgorithmIsRefused) {
  for (const auto* header :
       {R"({"alg":"RS256"})", R"({"alg":"ES256"})", R"({"alg":"PS256"})", R"({"alg":"HS256","alg":"RS256"})"})
    EXPECT_FALSE(verify(hand_made_token(header, good_payload, EVP_sha256(), test_key(1)))) << header;
}

TEST(TokenClaims, MustBePresentAndOfTheRightType) {
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

std::shared_ptr<const live_tokens> live(std::initializer_list<domain::uuid> ids) {
  auto tokens = std::make_shared<live_tokens>();
  for (const auto& id : ids) tokens->emplace(id, std::make_shared<last_use>());
  return tokens;
}

issued_token issue(const std::string& platform = "marketplace-a") {
  return issue_token(test_key(1), platform, now, 1h);
}

TEST(TokenVerifier, AcceptsALiveTokenRepeatedly) {
  token_verifier verifier(test_key(1));
  const auto token = issue();
  verifier.replace_live(live({token.claims.id}));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(verifier.accepts(token.text, "marketplace-a", now));
}

TEST(TokenVerifier, RecordsTheUseOfAnAcceptedToken) {
  token_verifier verifier(test_key(1));
  const auto token = issue();
  const auto tokens = live({token.claims.id});
  verifier.replace_live(tokens);
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-b", now));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-a", now + 2h));
  EXPECT_EQ(tokens->at(token.claims.id)->minute(), 0) << "it was refused";
  EXPECT_TRUE(verifier.accepts(token.text, "marketplace-a", now));
  EXPECT_EQ(tokens->at(token.claims.id)->minute(),
            std::chrono::floor<std::chrono::minutes>(now).time_since_epoch().count());
}

TEST(TokenVerifier, AcceptsNothingBeforeItHasLiveTokens) {
  const token_verifier verifier(test_key(1));
  EXPECT_FALSE(verifier.accepts(issue().text, "marketplace-a", now));
}

TEST(TokenVerifier, RefusesATokenOfAnotherPlatform) {
  token_verifier verifier(test_key(1));
  const auto token = issue();
  verifier.replace_live(live({token.claims.id}));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-b", now));
  EXPECT_TRUE(verifier.accepts(token.text, "marketplace-a", now));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-b", now));
  EXPECT_FALSE(verifier.accepts(token.text, "", now));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-", now));
}

TEST(TokenVerifier, RefusesATokenFromTheSecondThatItExpires) {
  const auto token = issue();
  const auto accepted_at = [&token](auto time) {
    token_verifier verifier(test_key(1)); // has not cached the token
    verifier.replace_live(live({token.claims.id}));
    return verifier.accepts(token.text, "marketplace-a", time);
  };
  EXPECT_TRUE(accepted_at(token.claims.expires - 1ns));
  EXPECT_FALSE(accepted_at(token.claims.expires));
  EXPECT_FALSE(accepted_at(token.claims.expires + 24h));
}

TEST(TokenVerifier, RefusesACachedTokenThatHasExpired) {
  token_verifier verifier(test_key(1));
  const auto token = issue();
  verifier.replace_live(live({token.claims.id}));
  EXPECT_TRUE(verifier.accepts(token.text, "marketplace-a", token.claims.expires - 1ns));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-a", token.claims.expires));
}

TEST(TokenVerifier, RefusesAnEndedTokenAndAcceptsItsReplacement) {
  token_verifier verifier(test_key(1));
  const auto first = issue();
  const auto second = issue();
  verifier.replace_live(live({first.claims.id}));
  ASSERT_TRUE(verifier.accepts(first.text, "marketplace-a", now));
  ASSERT_FALSE(verifier.accepts(second.text, "marketplace-a", now));
  verifier.replace_live(live({second.claims.id}));
  EXPECT_FALSE(verifier.accepts(first.text, "marketplace-a", now));
  EXPECT_TRUE(verifier.accepts(second.text, "marketplace-a", now));
}

TEST(TokenVerifier, RefusesAForgeryOfACachedToken) {
  token_verifier verifier(test_key(1));
  const auto token = issue();
  verifier.replace_live(live({token.claims.id}));
  ASSERT_TRUE(verifier.accepts(token.text, "marketplace-a", now));
  auto tampered = token.text;
  tampered.back() = tampered.back() == 'A' ? 'B' : 'A';
  EXPECT_FALSE(verifier.accepts(tampered, "marketplace-a", now));
  EXPECT_FALSE(verifier.accepts(token.text + 'A', "marketplace-a", now));
  EXPECT_FALSE(verifier.accepts(token.text.substr(0, token.text.size() - 1), "marketplace-a", now));
  EXPECT_FALSE(verifier.accepts("", "marketplace-a", now));
}

TEST(TokenVerifier, RefusesALiveIdSignedWithAnotherKey) {
  token_verifier verifier(test_key(2));
  const auto token = issue();
  verifier.replace_live(live({token.claims.id}));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-a", now));
}

TEST(TokenVerifier, LimitsItsCacheAndStillAccepts) {
  token_verifier verifier(test_key(1));
  std::vector<issued_token> tokens;
  live_tokens ids;
  for (int i = 0; i < 6000; ++i) {
    tokens.push_back(issue());
    ids.emplace(tokens.back().claims.id, std::make_shared<last_use>());
  }
  verifier.replace_live(std::make_shared<const live_tokens>(std::move(ids)));
  for (int round = 0; round < 2; ++round)
    for (const auto& token : tokens) ASSERT_TRUE(verifier.accepts(token.text, "marketplace-a", now));
}

TEST(TokenVerifier, UsesTheNewListOnEveryThread) {
  token_verifier verifier(test_key(1));
  const auto kept = issue();
  const auto ended = issue();
  verifier.replace_live(live({kept.claims.id, ended.claims.id}));
  std::atomic<bool> replaced{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 20'000; ++round) {
        const bool was_replaced = replaced.load();
        if (!verifier.accepts(kept.text, "marketplace-a", now)) ++wrong;
        if (verifier.accepts(ended.text, "marketplace-a", now) && was_replaced) ++wrong;
      }
    });
  verifier.replace_live(live({kept.claims.id}));
  replaced = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_FALSE(verifier.accepts(ended.text, "marketplace-a", now));
}

TEST(TokenVerifier, AcceptsTheTokensOfAllItsKeysUntilTheyAreReplaced) {
  const auto now = std::chrono::system_clock::now();
  const auto old_token = issue_token(test_key(1), "marketplace-a", now, std::chrono::hours{1});
  const auto new_token = issue_token(test_key(2), "marketplace-a", now, std::chrono::hours{1});
  token_verifier verifier(std::vector<signing_key>{test_key(2), test_key(1)});
  auto live = std::make_shared<live_tokens>();
  for (const auto* token : {&old_token, &new_token})
    live->emplace(token->claims.id, std::make_shared<last_use>());
  verifier.replace_live(live);
  for (const auto* token : {&old_token, &new_token}) {
    EXPECT_TRUE(verifier.accepts(token->text, "marketplace-a", now));
    EXPECT_EQ(verifier.id_of(token->text), token->claims.id);
  }
  verifier.replace_keys({test_key(2)});
  EXPECT_FALSE(verifier.accepts(old_token.text, "marketplace-a", now)) << "not even from the cache";
  EXPECT_FALSE(verifier.id_of(old_token.text));
  EXPECT_TRUE(verifier.accepts(new_token.text, "marketplace-a", now));
}

} // namespace roost::security::token_test
