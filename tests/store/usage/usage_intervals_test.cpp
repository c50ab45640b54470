#include "store/support/sample_portfolio.hpp"
#include "store/usage/usage_intervals.hpp"

#include <gtest/gtest.h>

namespace roost::testing::usage_intervals_test {

store::split_interval split(const char* from, const char* to) {
  return store::split_by_day({moment(from), moment(to), {}});
}

TEST(UsageIntervals, OfWholeDaysHaveNoPartialDays) {
  const auto november = split("2026-11-01T00:00:00.000Z", "2026-11-30T23:59:59.999Z");
  EXPECT_TRUE(november.before.is_empty());
  EXPECT_EQ(november.first_day, day("2026-11-01"));
  EXPECT_EQ(november.last_day, day("2026-11-30"));
  EXPECT_TRUE(november.after.is_empty());
}

TEST(UsageIntervals, WithPartialDaysAreSplit) {
  const auto cut = split("2026-11-01T00:00:00.001Z", "2026-11-30T23:59:59.998Z");
  EXPECT_EQ(cut.before.begin, moment("2026-11-01T00:00:00.001Z"));
  EXPECT_EQ(cut.before.end, moment("2026-11-01T23:59:59.999Z"));
  EXPECT_EQ(cut.first_day, day("2026-11-02"));
  EXPECT_EQ(cut.last_day, day("2026-11-29"));
  EXPECT_EQ(cut.after.begin, moment("2026-11-30T00:00:00.000Z"));
  EXPECT_EQ(cut.after.end, moment("2026-11-30T23:59:59.998Z"));
}

TEST(UsageIntervals, WithoutAWholeDayAreOnePart) {
  for (const auto* to : {"2026-11-20T23:59:59.999Z", "2026-11-21T12:00:00.000Z"}) {
    const auto part = split("2026-11-20T00:00:00.001Z", to);
    EXPECT_EQ(part.before.end, moment(to));
    EXPECT_GT(part.first_day, part.last_day);
    EXPECT_TRUE(part.after.is_empty());
  }
}

TEST(UsageIntervals, ThatEndBeforeTheyBeginAreEmpty) {
  const auto none = split("2026-11-20T00:00:00.001Z", "2026-11-20T00:00:00.000Z");
  EXPECT_TRUE(none.before.is_empty());
  EXPECT_GT(none.first_day, none.last_day);
  EXPECT_TRUE(none.after.is_empty());
}

TEST(UsageIntervals, WithoutBoundsCoverAllDays) {
  const auto all = store::split_by_day({});
  EXPECT_TRUE(all.before.is_empty());
  EXPECT_EQ(all.first_day, day("0001-01-01"));
  EXPECT_EQ(all.last_day, day("9999-12-31"));
  EXPECT_TRUE(all.after.is_empty());
}

} // namespace roost::testing::usage_intervals_test
