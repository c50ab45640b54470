#include "security/random.hpp"
#include "security/token.hpp"
#include "support/signing.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <initializer_list>
#include <thread>
#include <vector>

namespace roost::security::token_verifier_test {

using namespace std::chrono_literals;

const std::chrono::system_clock::time_point now = std::chrono::sys_seconds(1'790'000'000s);

std::shared_ptr<const live_tokens> live(std::initializer_list<domain::uuid> ids) {
  auto tokens = std::make_shared<live_tokens>();
  for (const auto& id : ids) tokens->emplace(id, std::make_shared<last_use>());
  return tokens;
}

issued_token issue(const std::string& platform = "marketplace-a") {
  return issue_token(test_key(1), platform, now, 1h);
}

TEST(TokenVerifier, AcceptsALiveTokenOfThePlatformAgainAndAgain) {
  token_verifier verifier(test_key(1));
  const auto token = issue();
  verifier.replace_live(live({token.claims.id}));
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(verifier.accepts(token.text, "marketplace-a", now));
}

TEST(TokenVerifier, NotesTheUseOfATokenThatItLetsIn) {
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

TEST(TokenVerifier, AcceptsNothingBeforeItKnowsTheLiveOnes) {
  const token_verifier verifier(test_key(1));
  EXPECT_FALSE(verifier.accepts(issue().text, "marketplace-a", now));
}

TEST(TokenVerifier, RefusesATokenUnderAnotherPlatform) {
  token_verifier verifier(test_key(1));
  const auto token = issue();
  verifier.replace_live(live({token.claims.id}));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-b", now));
  EXPECT_TRUE(verifier.accepts(token.text, "marketplace-a", now));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-b", now));
  EXPECT_FALSE(verifier.accepts(token.text, "", now));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-", now));
}

TEST(TokenVerifier, RefusesAnExpiredTokenThatItRemembers) {
  token_verifier verifier(test_key(1));
  const auto token = issue();
  verifier.replace_live(live({token.claims.id}));
  EXPECT_TRUE(verifier.accepts(token.text, "marketplace-a", now + 1h - 1ns));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-a", now + 1h));
}

TEST(TokenVerifier, RefusesAnEndedTokenAtOnceAndTakesItsReplacement) {
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

TEST(TokenVerifier, RefusesAForgeryOfARememberedToken) {
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

TEST(TokenVerifier, RefusesALiveIdUnderAnotherKey) {
  token_verifier verifier(test_key(2));
  const auto token = issue();
  verifier.replace_live(live({token.claims.id}));
  EXPECT_FALSE(verifier.accepts(token.text, "marketplace-a", now));
}

TEST(TokenVerifier, ForgetsSignaturesRatherThanGrowAndStillAccepts) {
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

TEST(TokenVerifier, GoesByTheNewListOnEveryThread) {
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
        const bool is_over = replaced.load();
        if (!verifier.accepts(kept.text, "marketplace-a", now)) ++wrong;
        if (verifier.accepts(ended.text, "marketplace-a", now) && is_over) ++wrong;
      }
    });
  verifier.replace_live(live({kept.claims.id}));
  replaced = true;
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_FALSE(verifier.accepts(ended.text, "marketplace-a", now));
}

} // namespace roost::security::token_verifier_test
