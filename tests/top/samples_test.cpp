#include "top/samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::top::samples_test {

using ::testing::ElementsAre;

constexpr const char* before_text = R"(# HELP runs_total Runs
# TYPE runs_total counter
runs_total{actor="a",thread="io-0"} 10
runs_total{actor="b",thread="io-0"} 5
plain 3.5
wait_bucket{le="0.1"} 0
wait_bucket{le="1"} 0
wait_bucket{le="+Inf"} 0
)";
constexpr const char* now_text = R"(runs_total{actor="a",thread="io-0"} 30
runs_total{actor="b",thread="io-0"} 5
wait_bucket{le="0.1"} 50
wait_bucket{le="1"} 90
wait_bucket{le="+Inf"} 100
)";

TEST(Samples, ParseLabels) {
  const auto read = samples::parse(before_text);
  EXPECT_EQ(read.sum("runs_total"), 15);
  EXPECT_EQ(read.sum("runs_total", {{"actor", "b"}}), 5);
  EXPECT_EQ(read.sum("plain"), 3.5);
  EXPECT_EQ(read.sum("none"), 0);
  EXPECT_THAT(read.values("runs_total", "actor"), ElementsAre("a", "b"));
  EXPECT_FALSE(read.all("plain").empty());
  EXPECT_TRUE(read.all("none").empty());
}

TEST(Samples, ParseEscapedLabelValues) {
  const auto read = samples::parse("x{a=\"b\\\"c,}d\",e=\"f\"} 7\n");
  EXPECT_EQ(read.sum("x", {{"a", "b\"c,}d"}, {"e", "f"}}), 7);
}

TEST(Samples, SkipMalformedLines) {
  const auto read = samples::parse("\nword\nx{a=\"b 7\nx{a 7\nlast 1");
  EXPECT_TRUE(read.all("word").empty());
  EXPECT_TRUE(read.all("x").empty());
  EXPECT_EQ(read.sum("last"), 1);
}

TEST(Change, ComputesGrowthAndRate) {
  const auto before = samples::parse(before_text), now = samples::parse(now_text);
  const change delta{before, now, 2};
  EXPECT_EQ(delta.rate("runs_total"), 10);
  EXPECT_EQ(delta.growth("runs_total", {{"actor", "a"}}), 20);
}

TEST(Change, IsZeroAfterARestart) {
  const auto before = samples::parse(now_text), now = samples::parse(before_text);
  EXPECT_EQ((change{before, now, 1}).rate("runs_total"), 0);
  EXPECT_EQ((change{before, now, 0}).rate("runs_total"), 0);
}

TEST(Change, InterpolatesAQuantileWithinItsBucket) {
  const auto before = samples::parse(before_text), now = samples::parse(now_text);
  const change delta{before, now, 1};
  EXPECT_DOUBLE_EQ(*delta.quantile(0.25, "wait"), 0.05);
  EXPECT_DOUBLE_EQ(*delta.quantile(0.5, "wait"), 0.1);
  EXPECT_DOUBLE_EQ(*delta.quantile(0.9, "wait"), 1);
  EXPECT_DOUBLE_EQ(*delta.quantile(0.99, "wait"), 1); // above the last bound
}

TEST(Change, HasNoQuantileWithoutObservations) {
  const auto now = samples::parse(now_text);
  EXPECT_EQ((change{now, now, 1}).quantile(0.5, "wait"), std::nullopt);
  EXPECT_EQ((change{now, now, 1}).quantile(0.5, "none"), std::nullopt);
}

} // namespace roost::top::samples_test
