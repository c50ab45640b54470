#include "actors/feed_text.hpp"
#include "support/gunzip.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace roost::actors {
namespace {

using roost::testing::gunzip;

feed_text written(const std::vector<std::vector<std::string>>& sheets, std::size_t expected = 0) {
  feed_writer writer(expected);
  for (const auto& rows : sheets) writer.add(rows);
  return writer.finish();
}

/// Rows that hardly compress, so that the compressed form is large, too.
std::vector<std::vector<std::string>> noise(std::size_t sheets, std::size_t rows, std::size_t size) {
  std::mt19937 chance(7);
  std::uniform_int_distribution<int> letter('!', '~');
  std::vector<std::vector<std::string>> all(sheets, std::vector<std::string>(rows));
  for (auto& sheet : all)
    for (auto& row : sheet)
      for (std::size_t i = 0; i < size; ++i) row += static_cast<char>(letter(chance));
  return all;
}

TEST(FeedWriter, PutsRowsOfAllSheetsIntoOneArray) {
  EXPECT_EQ(written({{"{\"a\":1}", "{\"b\":2}"}, {"{\"c\":3}"}}).identity, "[{\"a\":1},{\"b\":2},{\"c\":3}]");
}

TEST(FeedWriter, LeavesOutWhatIsNotPublished) {
  feed_writer writer(0);
  writer.add(std::vector<std::string>{"", "1", ""});
  writer.add(std::vector<std::string>{"", "2"});
  EXPECT_EQ(writer.units(), 2U);
  EXPECT_EQ(writer.finish().identity, "[1,2]");
}

TEST(FeedWriter, WritesAnEmptyArrayForNoUnits) {
  const auto text = written({});
  EXPECT_EQ(text.identity, "[]");
  EXPECT_EQ(gunzip(text.gzip), "[]");
}

TEST(FeedWriter, CompressesExactlyTheText) {
  for (const std::size_t size : {1, 100, 3000}) {
    const auto text = written(noise(5, 64, size), 1000);
    EXPECT_EQ(gunzip(text.gzip), text.identity) << size;
  }
}

TEST(FeedWriter, TagsEqualTextAlikeHoweverItCame) {
  const auto once = written({{"1", "2", "3"}}), parts = written({{"1"}, {"2"}, {"3"}}, 4096);
  EXPECT_EQ(once.tag, parts.tag);
  EXPECT_NE(once.tag, written({{"1", "2", "4"}}).tag);
  EXPECT_NE(once.tag, written({{"1", "3", "2"}}).tag);
}

} // namespace
} // namespace roost::actors
