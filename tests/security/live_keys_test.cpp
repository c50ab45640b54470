#include "security/live_keys.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace roost::security::live_keys_test {

live_key key_of(key_kind kind, unsigned char number = 1) {
  live_key key{kind};
  key.id.data[15] = number;
  return key;
}

TEST(LiveKeys, AreFoundByTheirText) {
  const auto issued = issue_account_key();
  live_keys keys;
  keys.add(issued.hash, key_of(key_kind::account, 7));
  ASSERT_NE(keys.find(key_kind::account, issued.plaintext), nullptr);
  EXPECT_EQ(keys.find(key_kind::account, issued.plaintext)->id.data[15], 7);
}

TEST(LiveKeys, AreNotFoundByAnythingElse) {
  const auto issued = issue_account_key();
  live_keys keys;
  keys.add(issued.hash, key_of(key_kind::account));
  for (const auto& text : {issued.plaintext.substr(1), issued.plaintext + ' ', issued.hash, std::string{}})
    EXPECT_EQ(keys.find(key_kind::account, text), nullptr);
}

TEST(LiveKeys, CountForTheirOwnKindOnly) {
  const auto issued = issue_api_key();
  live_keys keys;
  keys.add(issued.hash, key_of(key_kind::api));
  for (const auto kind : {key_kind::account, key_kind::webhook, key_kind::usage, key_kind::tool_server})
    EXPECT_EQ(keys.find(kind, issued.plaintext), nullptr);
}

TEST(LiveKeys, IgnoreAHashThatIsNone) {
  live_keys keys;
  for (const auto* hash : {"", "hash", "00ff"}) keys.add(hash, key_of(key_kind::usage));
  for (const auto* text : {"", "hash", "00ff"}) EXPECT_EQ(keys.find(key_kind::usage, text), nullptr);
}

/// A hash table: a lookup compares the digests of one bucket, however many keys there are.
TEST(LiveKeys, AreLookedUpWithoutAScanOfAHundredThousand) {
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
