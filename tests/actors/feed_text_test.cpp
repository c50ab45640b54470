#include "actors/feed_text.hpp"
#include "support/gunzip.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace roost::actors {
namespace {

using roost::testing::gunzip;

std::vector<feed_piece> fresh(const std::vector<std::string>& rows) {
  std::vector<feed_piece> pieces;
  for (const auto& row : rows) pieces.push_back({row, {}});
  return pieces;
}

feed_text written(const std::vector<std::vector<std::string>>& sheets, std::size_t expected = 0) {
  feed_writer writer(expected);
  for (const auto& rows : sheets) writer.add(fresh(rows));
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
  writer.add(fresh({"", "1", ""}));
  writer.add(fresh({"", "2"}));
  EXPECT_EQ(writer.units(), 2U);
  EXPECT_EQ(writer.finish().identity, "[1,2]");
}

TEST(FeedWriter, TakesRunsOfAnEarlierTextAsTheyAre) {
  feed_writer writer(0);
  writer.add(std::vector<feed_piece>{{"1", {}}, {"", "2,3,4", 3}, {"", {}}});
  writer.add(std::vector<feed_piece>{{"", "5", 1}});
  EXPECT_EQ(writer.units(), 5U);
  const auto text = writer.finish();
  EXPECT_EQ(text.identity, "[1,2,3,4,5]");
  EXPECT_EQ(text.tag, written({{"1", "2", "3", "4", "5"}}).tag);
  EXPECT_EQ(gunzip(text.gzip), text.identity);
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

TEST(FeedWriter, CompressesEqualTextAlikeHoweverItCame) {
  const auto rows = noise(1, 700, 3000).front();
  feed_writer at_once(0), one_by_one(0), as_runs(0);
  at_once.add(fresh(rows));
  std::string run;
  for (const auto& row : rows) {
    one_by_one.add(fresh({row}));
    run += (run.empty() ? "" : ",") + row;
  }
  as_runs.add(std::vector<feed_piece>{{"", run, rows.size()}});
  const auto text = at_once.finish();
  EXPECT_EQ(gunzip(text.gzip), text.identity);
  for (auto* other : {&one_by_one, &as_runs}) {
    const auto same = other->finish();
    EXPECT_EQ(same.identity, text.identity);
    EXPECT_EQ(same.gzip, text.gzip);
    EXPECT_EQ(same.tag, text.tag);
  }
}

TEST(FeedWriter, TagsEqualTextAlikeHoweverItCame) {
  const auto once = written({{"1", "2", "3"}}), parts = written({{"1"}, {"2"}, {"3"}}, 4096);
  EXPECT_EQ(once.tag, parts.tag);
  EXPECT_EQ(once.gzip, parts.gzip);
  EXPECT_NE(once.tag, written({{"1", "2", "4"}}).tag);
  EXPECT_NE(once.tag, written({{"1", "3", "2"}}).tag);
}

} // namespace
} // namespace roost::actors
