#include "security/digest.hpp"
#include "security/live_keys.hpp"
#include "support/sample_portfolio.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <type_traits>
#include <vector>

namespace roost::security::live_keys_test {
using testing::numbered_id;
using namespace std::chrono_literals;
using domain::credential_use;
using ::testing::StartsWith;

TEST(IssuedKeys, HaveAPrefixForTheirKindAnd256RandomBits) {
  const auto account = issue_key(key_kind::account);
  const auto webhook = issue_key(key_kind::webhook);
  EXPECT_THAT(account.plaintext, StartsWith("rk_"));
  EXPECT_THAT(webhook.plaintext, StartsWith("wk_"));
  EXPECT_THAT(issue_key(key_kind::usage).plaintext, StartsWith("uk_"));
  EXPECT_EQ(account.plaintext.size(), 3U + 43U);
  EXPECT_EQ(webhook.plaintext.size(), 3U + 43U);
  EXPECT_NE(issue_key(key_kind::account).plaintext, account.plaintext);
}

TEST(IssuedKeys, IncludeTheHashAndLastFourCharactersToStore) {
  const auto key = issue_key(key_kind::account);
  EXPECT_EQ(key.hash, to_hex(sha256(key.plaintext)));
  EXPECT_EQ(key.last4, key.plaintext.substr(key.plaintext.size() - 4));
}

TEST(KeyMatching, AcceptsOnlyTheWholeKey) {
  const auto key = issue_key(key_kind::webhook);
  EXPECT_TRUE(key_matches(key.plaintext, key.hash));
  EXPECT_FALSE(key_matches(key.plaintext.substr(1), key.hash));
  EXPECT_FALSE(key_matches(key.plaintext + ' ', key.hash));
  EXPECT_FALSE(key_matches(key.hash, key.hash));
  EXPECT_FALSE(key_matches("", key.hash));
  EXPECT_FALSE(key_matches(key.plaintext, ""));
}

const domain::timestamp nine{1'790'000'040s}; // a whole minute

TEST(LastUses, AreRecordedToTheMinute) {
  last_uses uses;
  uses.of(numbered_id(1))->note(nine + 59'999ms);
  EXPECT_EQ(uses.take(), (std::vector<credential_use>{{numbered_id(1), nine}}));
}

TEST(LastUses, AreReturnedOnce) {
  last_uses uses;
  const auto use = uses.of(numbered_id(1));
  EXPECT_TRUE(uses.take().empty()) << "it was never used";
  use->note(nine);
  EXPECT_EQ(uses.take().size(), 1U);
  use->note(nine + 30s);
  EXPECT_TRUE(uses.take().empty()) << "the same minute";
  use->note(nine + 60s);
  EXPECT_EQ(uses.take(), (std::vector<credential_use>{{numbered_id(1), nine + 1min}}));
}

TEST(LastUses, NeverMoveBackward) {
  last_uses uses;
  const auto use = uses.of(numbered_id(1));
  use->note(nine);
  use->note(nine - 1h);
  EXPECT_EQ(uses.take(), (std::vector<credential_use>{{numbered_id(1), nine}}));
}

TEST(LastUses, SurviveAReloadOfTheKeys) {
  last_uses uses;
  auto before = uses.of(numbered_id(1));
  const auto after = uses.of(numbered_id(1));
  EXPECT_EQ(before, after);
  before->note(nine);
  before = nullptr;
  EXPECT_EQ(uses.take().size(), 1U);
}

TEST(LastUses, AreReturnedAndForgottenForAnEndedCredential) {
  last_uses uses;
  const std::weak_ptr<last_use> ended = uses.of(numbered_id(1));
  ended.lock()->note(nine);
  EXPECT_EQ(uses.take().size(), 1U);
  EXPECT_TRUE(ended.expired());
}

TEST(LastUses, CanBeRecordedByManyThreads) {
  last_uses uses;
  const auto use = uses.of(numbered_id(1));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&use] {
      for (int minute = 0; minute < 100; ++minute) use->note(nine + std::chrono::minutes{minute});
    });
  for (auto& each : threads) each.join();
  EXPECT_EQ(uses.take(), (std::vector<credential_use>{{numbered_id(1), nine + 99min}}));
}

live_key key_of(key_kind kind, unsigned char number = 1) {
  live_key key{kind};
  key.id = numbered_id(number);
  return key;
}

TEST(LiveKeys, AreFoundByTheirText) {
  const auto issued = issue_key(key_kind::account);
  live_keys keys;
  keys.add(issued.hash, key_of(key_kind::account, 7));
  ASSERT_NE(keys.find(key_kind::account, issued.plaintext), nullptr);
  EXPECT_EQ(keys.find(key_kind::account, issued.plaintext)->id, numbered_id(7));
}

TEST(LiveKeys, AreNotFoundByOtherText) {
  const auto issued = issue_key(key_kind::account);
  live_keys keys;
  keys.add(issued.hash, key_of(key_kind::account));
  for (const auto& text : {issued.plaintext.substr(1), issued.plaintext + ' ', issued.hash, std::string{}})
    EXPECT_EQ(keys.find(key_kind::account, text), nullptr);
}

TEST(LiveKeys, AreFoundOnlyAsTheirKind) {
  const auto issued = issue_key(key_kind::api);
  live_keys keys;
  keys.add(issued.hash, key_of(key_kind::api));
  for (const auto kind : {key_kind::account, key_kind::webhook, key_kind::usage, key_kind::tool_server})
    EXPECT_EQ(keys.find(kind, issued.plaintext), nullptr);
}

TEST(LiveKeys, IgnoreInvalidHashes) {
  live_keys keys;
  for (const auto* hash : {"", "hash", "00ff"}) keys.add(hash, key_of(key_kind::usage));
  for (const auto* text : {"", "hash", "00ff"}) EXPECT_EQ(keys.find(key_kind::usage, text), nullptr);
}

live_key tool_server_key_of(const std::string& resource) {
  auto key = key_of(key_kind::tool_server);
  key.resource = resource;
  return key;
}

TEST(LiveKeys, KnowTheResourcesOfToolServersByTheirNormalizedUrl) {
  live_keys keys;
  keys.add(issue_key(key_kind::tool_server).hash, tool_server_key_of("https://Tools.example/"));
  keys.add(issue_key(key_kind::tool_server).hash, tool_server_key_of("http://127.0.0.1:9000/mcp"));
  ASSERT_NE(keys.find_resource("https://tools.example"), nullptr);
  EXPECT_EQ(*keys.find_resource("https://tools.example"), "https://Tools.example/") << "as the key spells it";
  EXPECT_NE(keys.find_resource("http://127.0.0.1:9000/mcp"), nullptr);
  EXPECT_EQ(keys.find_resource("https://evil.example"), nullptr);
}

TEST(LiveKeys, IgnoreResourcesThatTheNetworkCouldRead) {
  live_keys keys;
  keys.add(issue_key(key_kind::tool_server).hash, tool_server_key_of("http://tools.example/mcp"));
  EXPECT_EQ(keys.find_resource("http://tools.example/mcp"), nullptr);
}

TEST(LiveKeys, KnowOnlyResourcesOfToolServers) {
  live_keys keys;
  auto api = tool_server_key_of("https://tools.example");
  api.kind = key_kind::api;
  keys.add(issue_key(key_kind::api).hash, api);
  EXPECT_EQ(keys.find_resource("https://tools.example"), nullptr);
}

/// A lookup compares only the digests of one bucket, however many keys there are.
TEST(LiveKeys, AreFoundWithoutScanningAHundredThousand) {
  live_keys keys;
  live_keys::container table;
  static_assert(std::is_same_v<live_keys::container::key_type, sha256_digest>);
  for (int i = 0; i < 100'000; ++i) {
    const auto text = "rk_" + std::to_string(i);
    keys.add(key_hash(text), key_of(key_kind::account));
    table.emplace(sha256(text), live_key{});
  }
  EXPECT_NE(keys.find(key_kind::account, "rk_99999"), nullptr);
  EXPECT_EQ(keys.find(key_kind::account, "rk_100000"), nullptr);
  std::size_t largest = 0;
  for (std::size_t i = 0; i < table.bucket_count(); ++i) largest = std::max(largest, table.bucket_size(i));
  EXPECT_LT(largest, 20U);
}

} // namespace roost::security::live_keys_test
