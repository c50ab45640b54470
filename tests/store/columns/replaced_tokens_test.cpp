#include "store/columns/replaced_tokens.hpp"

#include <gtest/gtest.h>

namespace roost::store::replaced_tokens_test {
using namespace std::chrono_literals;

constexpr domain::timestamp noon{500'000h};
constexpr auto grace = 30s;

/// Returns tokens that were replaced one after the other, every 10 seconds until `noon`.
replaced_tokens every_ten_seconds(int count) {
  replaced_tokens tokens;
  for (int i = count; i > 0; --i) tokens.add(noon - 10s * i, noon - 10s * (i - 1), grace);
  return tokens;
}

TEST(ReplacedTokens, AreRecentByTheirOwnReplacement) {
  const auto tokens = every_ten_seconds(5);
  EXPECT_TRUE(tokens.is_recent(1, noon, noon, grace));
  EXPECT_TRUE(tokens.is_recent(3, noon, noon + 10s, grace));
  EXPECT_FALSE(tokens.is_recent(3, noon, noon + 10s + 1ms, grace));
  EXPECT_TRUE(tokens.is_recent(1, noon, noon + grace, grace));
  EXPECT_FALSE(tokens.is_recent(1, noon, noon + grace + 1ms, grace));
}

TEST(ReplacedTokens, AreForgottenAfterTheGracePeriod) {
  const auto tokens = every_ten_seconds(5);
  EXPECT_TRUE(tokens.is_recent(4, noon, noon, grace));
  EXPECT_FALSE(tokens.is_recent(5, noon, noon, 1h));
  EXPECT_FALSE(tokens.is_recent(100, noon, noon, 1h));
  EXPECT_FALSE(tokens.is_recent(0, noon, noon, 1h));
}

TEST(ReplacedTokens, WereReplacedBeforeTheirSuccessorsWhateverTheClockSaid) {
  replaced_tokens tokens;
  tokens.add(noon + 24h, noon + 24h, grace); // by a clock that was a day ahead
  EXPECT_TRUE(tokens.is_recent(2, noon, noon + grace, grace));
  EXPECT_FALSE(tokens.is_recent(2, noon, noon + grace + 1ms, grace));
  tokens.add(noon, noon + 1s, grace);
  EXPECT_TRUE(tokens.is_recent(3, noon + 1s, noon + grace, grace));
  EXPECT_FALSE(tokens.is_recent(3, noon + 1s, noon + grace + 1ms, grace));
}

TEST(ReplacedTokens, AreNotRecordedWithoutAGracePeriod) {
  replaced_tokens tokens;
  tokens.add(noon, noon, 0s);
  EXPECT_FALSE(tokens.is_recent(2, noon, noon, 0s));
}

TEST(ReplacedTokens, AreTheLatest256) {
  replaced_tokens tokens;
  for (int i = 0; i < 300; ++i) tokens.add(noon, noon, grace);
  EXPECT_TRUE(tokens.is_recent(257, noon, noon, grace));
  EXPECT_FALSE(tokens.is_recent(258, noon, noon, grace));
}

TEST(ReplacedTokens, AreReadAsTheyWereWritten) {
  for (const int count : {0, 1, 3}) {
    std::string cell;
    using format = column_format<replaced_tokens>;
    const auto tokens = every_ten_seconds(count);
    ASSERT_TRUE(format::write(cell, tokens));
    replaced_tokens read;
    ASSERT_TRUE(format::read(&cell, read));
    EXPECT_EQ(read, tokens) << count;
  }
  replaced_tokens read;
  const std::string damaged = "x";
  EXPECT_FALSE(column_format<replaced_tokens>::read(&damaged, read));
}

} // namespace roost::store::replaced_tokens_test
