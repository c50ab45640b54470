#include "security/jwt.hpp"
#include "security/random.hpp"
#include "security/session_tokens.hpp"
#include "security/token.hpp"

#include <gtest/gtest.h>

#include <set>

namespace roost::security::session_tokens_test {

using namespace std::chrono_literals;

const auto noon = std::chrono::sys_seconds{std::chrono::sys_days{std::chrono::year{2026} / 11 / 20}} + 12h;

named_key random_key(const std::string& id) {
  named_key key{id, {}, noon};
  fill_random(key.key);
  return key;
}

access_claims some_claims() {
  return {
      "https://roost.example", "https://roost.example", random_uuid(), random_uuid(), 3, noon, noon + 15min};
}

TEST(AccessToken, ReturnsItsClaims) {
  const key_ring keys({random_key("a")});
  const auto claims = some_claims();
  EXPECT_EQ(verify_access_token(keys, issue_access_token(keys, claims)), claims);
}

TEST(AccessToken, DiffersWithinASecond) {
  const key_ring keys({random_key("a")});
  const auto claims = some_claims();
  EXPECT_NE(issue_access_token(keys, claims), issue_access_token(keys, claims));
}

TEST(AccessToken, IsAcceptedWithAnOlderKeyUntilItIsDropped) {
  const auto older = random_key("a"), newer = random_key("b");
  const auto text = issue_access_token(key_ring({older}), some_claims());
  EXPECT_TRUE(verify_access_token(key_ring({newer, older}), text));
  EXPECT_FALSE(verify_access_token(key_ring({newer}), text));
}

TEST(AccessToken, IsRefusedIfAnotherKeyOfTheSameIdSignedIt) {
  const auto text = issue_access_token(key_ring({random_key("a")}), some_claims());
  EXPECT_FALSE(verify_access_token(key_ring({random_key("a")}), text));
}

TEST(AccessToken, IsRefusedIfACharacterChanges) {
  const key_ring keys({random_key("a")});
  const auto text = issue_access_token(keys, some_claims());
  for (std::size_t i = 0; i + 1 < text.size(); ++i) { // the last one has unused bits
    auto changed = text;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(verify_access_token(keys, changed)) << i;
  }
}

TEST(AccessToken, IsRefusedIfUnsignedOrOfAnotherKind) {
  const auto key = random_key("a");
  const key_ring keys({key});
  const auto text = issue_access_token(keys, some_claims());
  const auto first = text.find('.'), last = text.rfind('.');
  const auto unsigned_head = to_base64url(std::string_view(R"({"alg":"none","kid":"a"})"));
  EXPECT_FALSE(verify_access_token(keys, unsigned_head + text.substr(first, last - first) + "."));
  EXPECT_FALSE(verify_access_token(keys, text.substr(0, last + 1)));
  EXPECT_FALSE(verify_access_token(keys, issue_token(key.key, "marketplace-a", noon, 15min).text));
  EXPECT_FALSE(verify_access_token(keys, jwt_writer(jwt_key{key.key}, "a").add("sub", "x").text()));
  for (const auto* odd : {"", ".", "..", "a.b.c", "Bearer"})
    EXPECT_FALSE(verify_access_token(keys, odd)) << odd;
}

TEST(AccessTokenVerifier, ChecksTheExpiryEachTime) {
  const auto keys = std::make_shared<const key_ring>(std::vector{random_key("a")});
  access_token_verifier verifier("https://roost.example", "");
  const auto text = issue_access_token(*keys, some_claims());
  EXPECT_FALSE(verifier.claims_of(text, "https://roost.example", noon)) << "no keys yet";
  verifier.replace_keys(keys);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(verifier.claims_of(text, "https://roost.example", noon + 15min - 1ms));
    EXPECT_FALSE(verifier.claims_of(text, "https://roost.example", noon + 15min));
  }
}

/// The server's clock was a day ahead when it issued the token.
TEST(AccessTokenVerifier, RefusesTokensOfTheFuture) {
  const auto keys = std::make_shared<const key_ring>(std::vector{random_key("a")});
  access_token_verifier verifier("https://roost.example", "");
  verifier.replace_keys(keys);
  const auto text = issue_access_token(*keys, some_claims());
  for (int i = 0; i < 2; ++i) { // the second time from the cache
    EXPECT_FALSE(verifier.claims_of(text, "https://roost.example", noon - 24h));
    EXPECT_FALSE(verifier.claims_of(text, "https://roost.example", noon - 61s));
    EXPECT_TRUE(verifier.claims_of(text, "https://roost.example", noon - 60s));
  }
}

TEST(AccessTokenVerifier, AcceptsOnlyTokensOfItsIssuerForItsAudience) {
  const auto keys = std::make_shared<const key_ring>(std::vector{random_key("a")});
  access_token_verifier verifier("https://roost.example", "");
  verifier.replace_keys(keys);
  auto claims = some_claims();
  claims.audience = "https://tools.roost.example/mcp";
  EXPECT_FALSE(verifier.claims_of(issue_access_token(*keys, claims), "https://roost.example", noon));
  claims = some_claims();
  claims.issuer = "https://other.example";
  EXPECT_FALSE(verifier.claims_of(issue_access_token(*keys, claims), "https://roost.example", noon));
}

TEST(AccessTokenVerifier, RefusesTokensOfADroppedKey) {
  const auto old = random_key("a");
  access_token_verifier verifier("https://roost.example", "");
  verifier.replace_keys(std::make_shared<const key_ring>(std::vector{old}));
  const auto text = issue_access_token(key_ring({old}), some_claims());
  EXPECT_TRUE(verifier.claims_of(text, "https://roost.example", noon));
  verifier.replace_keys(std::make_shared<const key_ring>(std::vector{random_key("b")}));
  EXPECT_FALSE(verifier.claims_of(text, "https://roost.example", noon));
}

TEST(RefreshToken, IsDerivedFromSessionAndGeneration) {
  const key_ring keys({random_key("a")});
  const auto session = random_uuid();
  std::set<std::string> texts;
  for (int i = 1; i <= 100; ++i) {
    EXPECT_EQ(refresh_token_text(keys, refresh_kind::session, {session, i}),
              refresh_token_text(keys, refresh_kind::session, {session, i}));
    texts.insert(refresh_token_text(keys, refresh_kind::session, {session, i}));
    EXPECT_EQ(parse_refresh_token(keys, refresh_kind::session,
                                  refresh_token_text(keys, refresh_kind::session, {session, i})),
              (refresh_token{session, i}));
  }
  EXPECT_EQ(texts.size(), 100U);
}

TEST(RefreshToken, IsRefusedIfACharacterChanges) {
  const key_ring keys({random_key("a")});
  const auto text = refresh_token_text(keys, refresh_kind::session, {random_uuid(), 7});
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto changed = text;
    changed[i] = changed[i] == '5' ? '6' : '5';
    EXPECT_FALSE(parse_refresh_token(keys, refresh_kind::session, changed)) << i;
  }
  EXPECT_FALSE(parse_refresh_token(key_ring({random_key("a")}), refresh_kind::session, text))
      << "another key";
  for (const auto* odd : {"", ".", "...", "a.b.a.c", "x"})
    EXPECT_FALSE(parse_refresh_token(keys, refresh_kind::session, odd)) << odd;
}

TEST(KeyRing, SealsASecretForOnePurpose) {
  const auto older = random_key("a");
  const auto seal = sealed(key_ring({older}), "code", "123456");
  const key_ring keys({random_key("b"), older});
  EXPECT_EQ(seal.find("123456"), std::string::npos);
  EXPECT_TRUE(seal_matches(keys, "code", "123456", seal));
  EXPECT_FALSE(seal_matches(keys, "code", "123457", seal));
  EXPECT_FALSE(seal_matches(keys, "other", "123456", seal));
  EXPECT_FALSE(seal_matches(key_ring({random_key("a")}), "code", "123456", seal));
  EXPECT_FALSE(seal_matches(keys, "code", "123456", "no seal"));
}

TEST(RandomDigits, AreUniform) {
  std::array<int, 10> seen{};
  for (const char c : random_digits(20'000)) ++seen.at(static_cast<std::size_t>(c - '0'));
  for (const int count : seen) EXPECT_NEAR(count, 2'000, 300);
}

} // namespace roost::security::session_tokens_test
