#include "feeds/feed_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::feeds::row_text_test {
TEST(RowStrip, LaysRowsBesideEachOtherWithACommaBetween) {
  row_buffer strip;
  const auto first = strip.add("{\"a\":1}"), second = strip.add("{}");
  EXPECT_EQ(first.text, "{\"a\":1}");
  EXPECT_EQ(second.text, "{}");
  EXPECT_EQ(first.memory, second.memory);
  EXPECT_EQ(std::string_view(first.text.data(), first.text.size() + 1 + second.text.size()), "{\"a\":1},{}");
}

TEST(RowStrip, KeepsEveryRowAsItIsWhateverComesAfterIt) {
  std::vector<row_text> rows;
  {
    row_buffer strip;
    for (std::size_t i = 0; i < 3000; ++i)
      rows.push_back(strip.add(std::string(i % 300 + 1, static_cast<char>('a' + i % 26))));
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    ASSERT_EQ(rows[i].text, std::string(i % 300 + 1, static_cast<char>('a' + i % 26))) << i;
}

TEST(RowStrip, TakesARowOfAnyLength) {
  row_buffer strip;
  const auto small = strip.add("small");
  const auto large = strip.add(std::string(1'000'000, 'x'));
  EXPECT_EQ(small.text, "small");
  EXPECT_EQ(large.text, std::string(1'000'000, 'x'));
  EXPECT_EQ(strip.add("next").text, "next");
}

TEST(RowStrip, GivesNothingForARowThatIsNotThere) {
  row_buffer strip;
  const auto none = strip.add("");
  EXPECT_TRUE(none.text.empty());
  EXPECT_FALSE(none.memory);
}

} // namespace roost::feeds::row_text_test
