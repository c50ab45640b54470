#include "feeds/feed_text.hpp"
#include "support/gunzip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace roost::feeds::feed_text_test {
using roost::testing::gunzip;
using page_rows = std::vector<std::string>;

page_draft fresh(const page_rows& rows) {
  page_draft page;
  for (const auto& row : rows)
    if (!row.empty()) page.pieces.push_back({{nullptr, row}});
  return page;
}

feed_text written(const std::vector<page_rows>& pages) {
  feed_writer writer;
  for (const auto& rows : pages) writer.add(fresh(rows));
  return writer.finish();
}

std::string identity(const std::vector<page_rows>& pages) { return to_string(written(pages).identity); }

/// Rows that hardly compress, so that the compressed form is large as well.
std::vector<page_rows> noise(std::size_t pages, std::size_t rows, std::size_t size) {
  std::mt19937 chance(7);
  std::uniform_int_distribution<int> letter('!', '~');
  std::vector<page_rows> all(pages, page_rows(rows));
  for (auto& page : all)
    for (auto& row : page)
      for (std::size_t i = 0; i < size; ++i) row += static_cast<char>(letter(chance));
  return all;
}

void expect_same(const feed_text& one, const feed_text& other) {
  EXPECT_EQ(to_string(one.identity), to_string(other.identity));
  EXPECT_EQ(to_string(one.gzip), to_string(other.gzip));
  EXPECT_EQ(one.tag, other.tag);
}

/// Writes lists that reuse the unchanged pages of the previous list.
class Lists : public ::testing::Test {
protected:
  feed_text write(const std::vector<page_rows>& pages) {
    const auto kept = [&](std::size_t i) { return i < last_rows_.size() && last_rows_[i] == pages[i]; };
    std::size_t changed = 0;
    for (std::size_t i = 0; i < pages.size(); ++i) changed += kept(i) ? 0 : 1;
    feed_writer writer{last_, changed};
    for (std::size_t i = 0; i < pages.size(); ++i) writer.add(kept(i) ? page_draft{{}, i} : fresh(pages[i]));
    auto text = writer.finish();
    last_ = writer.pages();
    last_rows_ = pages;
    return text;
  }

  std::shared_ptr<const feed_pages> last_;
  std::vector<page_rows> last_rows_;
};

TEST(FeedWriter, WritesTheRowsOfAllPagesIntoOneArray) {
  EXPECT_EQ(identity({{"{\"a\":1}", "{\"b\":2}"}, {"{\"c\":3}"}}), "[{\"a\":1},{\"b\":2},{\"c\":3}]");
}

TEST(FeedWriter, OmitsUnpublishedRows) {
  feed_writer writer;
  writer.add(fresh({"", ""}));
  writer.add(fresh({"", "1", ""}));
  writer.add(fresh({}));
  writer.add(fresh({"", "2"}));
  EXPECT_EQ(writer.units(), 2U);
  EXPECT_EQ(to_string(writer.finish().identity), "[1,2]");
}

TEST(FeedWriter, AcceptsRunsOfRows) {
  feed_writer writer;
  writer.add({{{{nullptr, "1"}}, {{nullptr, "2,3,4"}, 3}}});
  writer.add({{}});
  writer.add({{{{nullptr, "5"}}}});
  EXPECT_EQ(writer.units(), 5U);
  expect_same(writer.finish(), written({{"1", "2", "3", "4"}, {}, {"5"}}));
}

TEST(FeedWriter, WritesAnEmptyArrayForNoUnits) {
  const auto text = written({});
  EXPECT_EQ(to_string(text.identity), "[]");
  EXPECT_EQ(gunzip(to_string(text.gzip)), "[]");
}

TEST(FeedWriter, WritesTheRowsBetweenTheGivenBrackets) {
  feed_writer writer{nullptr, 0, R"({"all":[)", "]}"};
  writer.add(fresh({"1", "2"}));
  const auto text = writer.finish();
  EXPECT_EQ(to_string(text.identity), R"({"all":[1,2]})");
  EXPECT_EQ(gunzip(to_string(text.gzip)), R"({"all":[1,2]})");
}

TEST(FeedWriter, CompressesExactlyTheText) {
  for (const std::size_t size : {1, 100, 3000}) {
    const auto text = written(noise(5, 64, size));
    EXPECT_EQ(gunzip(to_string(text.gzip)), to_string(text.identity)) << size;
  }
}

TEST(FeedWriter, TagsDifferentContentDifferently) {
  const auto tag = written({{"1", "2"}, {"3"}}).tag;
  EXPECT_EQ(tag, written({{"1", "2"}, {"3"}}).tag);
  EXPECT_NE(tag, written({{"1", "2"}, {"4"}}).tag);
  EXPECT_NE(tag, written({{"1", "3"}, {"2"}}).tag);
  EXPECT_NE(tag, written({{"1"}, {"2", "3"}}).tag); // the compressed form differs
}

TEST(RowBuffer, StoresRowsAdjacentAndSeparatedByCommas) {
  row_buffer buffer;
  const auto first = buffer.add("{\"a\":1}"), second = buffer.add("{}");
  EXPECT_EQ(first.text, "{\"a\":1}");
  EXPECT_EQ(second.text, "{}");
  EXPECT_EQ(first.memory, second.memory);
  EXPECT_EQ(std::string_view(first.text.data(), first.text.size() + 1 + second.text.size()), "{\"a\":1},{}");
}

TEST(RowBuffer, NeverOverwritesEarlierRows) {
  std::vector<row_text> rows;
  {
    row_buffer buffer;
    for (std::size_t i = 0; i < 3000; ++i)
      rows.push_back(buffer.add(std::string(i % 300 + 1, static_cast<char>('a' + i % 26))));
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    ASSERT_EQ(rows[i].text, std::string(i % 300 + 1, static_cast<char>('a' + i % 26))) << i;
}

TEST(RowBuffer, AcceptsRowsOfAnyLength) {
  row_buffer buffer;
  const auto small = buffer.add("small");
  const auto large = buffer.add(std::string(1'000'000, 'x'));
  EXPECT_EQ(small.text, "small");
  EXPECT_EQ(large.text, std::string(1'000'000, 'x'));
  EXPECT_EQ(buffer.add("next").text, "next");
}

TEST(RowBuffer, ReturnsNothingForAnEmptyRow) {
  row_buffer buffer;
  const auto none = buffer.add("");
  EXPECT_TRUE(none.text.empty());
  EXPECT_FALSE(none.memory);
}

TEST(SplitIntoPages, KeepsAllRowsInOrder) {
  std::vector<std::string> rows(2 * rows_per_page + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = std::to_string(i);
  const auto pages = split_into_pages(rows);
  ASSERT_EQ(pages.size(), 3U);
  EXPECT_EQ(pages[1].pieces.size(), rows_per_page);
  EXPECT_EQ(pages[1].pieces.front().rows.text, std::to_string(rows_per_page));
  EXPECT_EQ(pages[2].pieces.size(), 1U);
  EXPECT_TRUE(split_into_pages({}).empty());
}

TEST_F(Lists, ShareThePagesThatHaveNotChanged) {
  auto rows = noise(40, 64, 100);
  const auto before = write(rows);
  rows[3][5] = "changed";
  const auto after = write(rows);
  expect_same(after, written(rows));
  const auto memory = before.gzip.parts().front().memory;
  EXPECT_EQ(std::ranges::count(after.gzip.parts(), memory, &bytes::shared_body::part::memory), 2);
  EXPECT_EQ(gunzip(to_string(after.gzip)), to_string(after.identity));
}

TEST_F(Lists, MoveTheCommaWhenTheFirstPageChanges) {
  const auto first = noise(1, 64, 2000).front();
  write({first, {"1", "2"}, {"3"}});
  expect_same(write({{""}, {"1", "2"}, {"3"}}), written({{""}, {"1", "2"}, {"3"}}));
  expect_same(write({first, {"1", "2"}, {"3"}}), written({first, {"1", "2"}, {"3"}}));
}

TEST_F(Lists, NeverKeepMuchMoreMemoryThanTheirText) {
  auto rows = noise(64, 64, 100);
  std::mt19937 chance(11);
  std::size_t shared = 0;
  for (int round = 0; round < 100; ++round) {
    for (auto changes = chance() % 12; changes > 0; --changes)
      rows[chance() % 64][chance() % 64] = std::to_string(chance()) + std::string(90, 'c');
    const auto text = write(rows);
    std::size_t held = 0;
    for (const auto* body : {&text.identity, &text.gzip}) {
      std::vector<const bytes::sealed_memory*> memories;
      for (const auto& part : body->parts()) memories.push_back(part.memory.get());
      std::ranges::sort(memories);
      memories.erase(std::unique(memories.begin(), memories.end()), memories.end());
      if (memories.size() > 1) ++shared;
      EXPECT_LE(memories.size(), 8U);
      for (const auto* memory : memories) held += memory->bytes().size();
    }
    const auto size = text.identity.size() + text.gzip.size();
    EXPECT_LE(held, size + size / 4) << round;
    if (round % 10 == 0) expect_same(text, written(rows));
  }
  EXPECT_GT(shared, 50U);
}

} // namespace roost::feeds::feed_text_test
