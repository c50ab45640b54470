#include "bench/contention/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace roost::contention::histogram_test {
namespace {

TEST(Histogram, IsEmptyAtFirst) {
  const histogram empty;
  EXPECT_EQ(empty.total(), 0u);
  EXPECT_EQ(empty.percentile(50), 0);
  EXPECT_TRUE(empty.filled().empty());
}

TEST(Histogram, KeepsSmallValuesExactly) {
  histogram values;
  for (int i = 1; i <= 2000; ++i) values.record(i);
  EXPECT_EQ(values.percentile(50), 1000);
  EXPECT_EQ(values.percentile(99.9), 1998);
  EXPECT_EQ(values.max(), 2000);
}

TEST(Histogram, IsExactToAThousandth) {
  std::mt19937_64 random(3);
  std::lognormal_distribution<double> distribution(13, 3);
  histogram values;
  std::vector<std::int64_t> all;
  for (int i = 0; i < 50'000; ++i) {
    all.push_back(static_cast<std::int64_t>(distribution(random)));
    values.record(all.back());
  }
  std::ranges::sort(all);
  for (const double percent : {1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const auto exact =
        all[static_cast<std::size_t>(std::ceil(static_cast<double>(all.size()) * percent / 100)) - 1];
    EXPECT_GE(values.percentile(percent), exact) << percent;
    EXPECT_LE(values.percentile(percent), exact + exact / 1000 + 1) << percent;
  }
}

TEST(Histogram, ClampsValuesOutOfRange) {
  histogram values;
  values.record(-5);
  EXPECT_EQ(values.max(), 0);
  values.record(std::numeric_limits<std::int64_t>::max());
  EXPECT_GT(values.max(), std::int64_t{3'600} * 1'000'000'000);
  EXPECT_EQ(values.total(), 2u);
}

TEST(Histogram, MergesLikeOneHistogramOfAllValues) {
  histogram one, other, both;
  for (int i = 0; i < 1000; ++i) {
    (i % 3 == 0 ? one : other).record(i * i);
    both.record(i * i);
  }
  one.merge(other);
  EXPECT_EQ(one.filled(), both.filled());
  EXPECT_EQ(one.total(), 1000u);
}

} // namespace
} // namespace roost::contention::histogram_test
