#include "security/digest.hpp"
#include "security/live_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::security::key_test {

using ::testing::StartsWith;

TEST(IssuedKeys, TellTheirUseAndHold256RandomBits) {
  const auto account = issue_account_key();
  const auto webhook = issue_webhook_key();
  EXPECT_THAT(account.plaintext, StartsWith("rk_"));
  EXPECT_THAT(webhook.plaintext, StartsWith("wk_"));
  EXPECT_THAT(issue_usage_key().plaintext, StartsWith("uk_"));
  EXPECT_EQ(account.plaintext.size(), 3U + 43U);
  EXPECT_EQ(webhook.plaintext.size(), 3U + 43U);
  EXPECT_NE(issue_account_key().plaintext, account.plaintext);
}

TEST(IssuedKeys, LeaveOnlyAHashAndTheLastFourCharactersToStore) {
  const auto key = issue_account_key();
  EXPECT_EQ(key.hash, to_hex(sha256(key.plaintext)));
  EXPECT_EQ(key.last4, key.plaintext.substr(key.plaintext.size() - 4));
}

TEST(KeyMatching, TakesTheWholeKeyOnly) {
  const auto key = issue_webhook_key();
  EXPECT_TRUE(key_matches(key.plaintext, key.hash));
  EXPECT_FALSE(key_matches(key.plaintext.substr(1), key.hash));
  EXPECT_FALSE(key_matches(key.plaintext + ' ', key.hash));
  EXPECT_FALSE(key_matches(key.hash, key.hash));
  EXPECT_FALSE(key_matches("", key.hash));
  EXPECT_FALSE(key_matches(key.plaintext, ""));
}

} // namespace roost::security::key_test
