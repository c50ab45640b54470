#include "feeds/feed_rows.hpp"
#include "feeds/feed_text.hpp"
#include "support/gunzip.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace roost::feeds::feed_rows_test {
/// Builds consecutive lists from units' rows as the feed does.
class Rows : public ::testing::Test {
protected:
  struct unit {
    std::uint64_t changed;
    std::string row; ///< empty: not published
  };

  /// Builds the next list; its rows arrive in the order that `arrival` makes (a permutation of the requested
  /// ones).
  std::string list(const std::vector<unit>& units, bool from_scratch = false,
                   const std::function<void(std::vector<std::size_t>&)>& arrival = {}) {
    std::vector<std::uint64_t> changed;
    for (const auto& each : units) changed.push_back(each.changed);
    rows_.begin(changed, from_scratch ? nullptr : last_);
    requested_.assign(rows_.requested().begin(), rows_.requested().end());
    feed_writer writer{last_, rows_.changed_pages()};
    std::vector<page_draft> sheet;
    auto moved = rows_.move_complete_pages_to(sheet);
    std::vector<std::size_t> order(requested_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (arrival) arrival(order);
    for (const auto number : order) {
      const auto& unit = units[requested_[number]];
      rows_.take(number, buffer_.add(unit.row));
      moved += rows_.move_complete_pages_to(sheet);
    }
    EXPECT_EQ(moved, rows_.changed_pages());
    pieces_ = 0;
    for (const auto& page : sheet) {
      pieces_ += page.pieces.size();
      writer.add(page);
    }
    rows_.keep();
    const auto text = writer.finish();
    last_ = writer.pages();
    EXPECT_EQ(testing::gunzip(to_string(text.gzip)), to_string(text.identity));
    return to_string(text.identity);
  }

  static std::string text_of(const std::vector<unit>& units) {
    std::string text;
    for (const auto& each : units)
      if (!each.row.empty()) text += (text.empty() ? "" : ",") + each.row;
    return "[" + text + "]";
  }

  feed_rows rows_;
  std::shared_ptr<const feed_pages> last_;
  std::vector<std::uint32_t> requested_;
  row_buffer buffer_;
  std::size_t pieces_ = 0;
};

using positions = std::vector<std::uint32_t>;

TEST_F(Rows, AreAllRequestedAtFirst) {
  EXPECT_EQ(list({{1, "a"}, {2, ""}, {3, "ccc"}}), "[a,ccc]");
  EXPECT_EQ(requested_, (positions{0, 1, 2}));
  EXPECT_FALSE(rows_.is_unchanged());
}

TEST_F(Rows, AreReusedForUnchangedUnits) {
  list({{1, "a"}, {2, "bb"}, {3, "ccc"}, {4, "dddd"}});
  EXPECT_EQ(list({{1, "?"}, {9, "B"}, {3, "?"}, {4, "?"}}), "[a,B,ccc,dddd]");
  EXPECT_EQ(requested_, (positions{1}));
  EXPECT_EQ(pieces_, 3U); // one run after the new row
  EXPECT_EQ(list({{1, "?"}, {9, "?"}, {3, "?"}, {10, ""}}), "[a,B,ccc]");
  EXPECT_EQ(list({{1, "?"}, {9, "?"}, {3, "?"}, {11, "d"}}), "[a,B,ccc,d]");
}

TEST_F(Rows, AreRememberedEvenIfNotPublished) {
  list({{1, ""}, {2, "b"}, {3, ""}, {4, "d"}, {5, ""}});
  EXPECT_EQ(list({{1, "?"}, {2, "?"}, {3, "?"}, {6, "D"}, {5, "?"}}), "[b,D]");
  EXPECT_EQ(requested_, (positions{3}));
  EXPECT_EQ(list({{7, "a"}, {2, "?"}, {3, "?"}, {6, "?"}, {5, "?"}}), "[a,b,D]");
}

TEST_F(Rows, AreUnchangedWhenNoUnitChanged) {
  list({{1, "a"}, {2, ""}});
  rows_.begin({1, 2}, last_);
  EXPECT_TRUE(rows_.is_unchanged());
  rows_.begin({1}, last_); // the last unit is gone
  EXPECT_TRUE(rows_.requested().empty());
  EXPECT_FALSE(rows_.is_unchanged());
  rows_.begin({1, 2, 3}, last_);
  EXPECT_FALSE(rows_.is_unchanged());
}

TEST_F(Rows, AreAllRequestedWithoutAPreviousList) {
  list({{1, "a"}, {2, "b"}});
  EXPECT_EQ(list({{1, "A"}, {2, "B"}}, true), "[A,B]");
  EXPECT_EQ(requested_, (positions{0, 1}));
}

TEST_F(Rows, AreDiscardedWithAnUnfinishedList) {
  list({{1, "a"}, {2, "b"}});
  rows_.begin({1, 5}, last_);
  rows_.take(0, {nullptr, "half"});
  EXPECT_EQ(list({{1, "?"}, {6, "B"}}), "[a,B]");
  EXPECT_EQ(requested_, (positions{1}));
}

TEST_F(Rows, AreReusedTogetherOnAnUnchangedPage) {
  std::vector<unit> units;
  for (std::uint64_t i = 1; i <= 3 * rows_per_page + 1; ++i) units.push_back({i, std::to_string(i)});
  list(units);
  units[rows_per_page + 1] = {1000, "new"};
  EXPECT_EQ(list(units), text_of(units));
  EXPECT_EQ(requested_, (positions{rows_per_page + 1}));
  EXPECT_EQ(pieces_, 3U); // of the changed page: before the row, the row, after it
  units.push_back({1001, "last"});
  EXPECT_EQ(list(units), text_of(units));
  units.resize(3 * rows_per_page); // the whole last page
  EXPECT_EQ(list(units), text_of(units));
  EXPECT_EQ(pieces_, 0U);
}

TEST_F(Rows, KeepTheirOrderWhateverTheOrderOfArrival) {
  const auto backwards = [](auto& order) { std::ranges::reverse(order); };
  EXPECT_EQ(list({{1, "a"}, {2, "b"}, {3, ""}, {4, "d"}}, false, backwards), "[a,b,d]");
  EXPECT_EQ(list({{5, "A"}, {2, "?"}, {3, "?"}, {6, "D"}}, false, backwards), "[A,b,D]");
}

TEST_F(Rows, EqualThoseOfAListBuiltFromScratch) {
  std::mt19937 chance(20261122);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(chance);
  };
  std::uint64_t clock = 0;
  const auto change = [&](unit& unit) {
    unit = {++clock, below(4) == 0 ? "" : std::string(1 + below(6), static_cast<char>('a' + below(26)))};
  };
  std::vector<unit> units(200);
  for (int round = 0; round < 500; ++round) {
    for (auto& each : units)
      if (each.changed == 0 || below(100) == 0) change(each);
    if (below(3) == 0) {
      units.insert(units.begin() + static_cast<std::ptrdiff_t>(below(units.size() + 1)), unit{});
      for (auto& each : units)
        if (each.changed == 0) change(each);
    }
    if (!units.empty() && below(4) == 0)
      units.erase(units.begin() + static_cast<std::ptrdiff_t>(below(units.size())));
    const auto expected = text_of(units);
    ASSERT_EQ(list(units, below(20) == 0, [&](auto& order) { std::ranges::shuffle(order, chance); }),
              expected);
  }
}

} // namespace roost::feeds::feed_rows_test
