#include "config/text.hpp"

#include <gtest/gtest.h>

namespace roost::config::duration_test {

using namespace std::chrono_literals;

TEST(Durations, ParseAWholeNumberWithItsUnit) {
  EXPECT_EQ(parse_duration("50us"), 50us);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("30s"), 30s);
  EXPECT_EQ(parse_duration("10m"), 10min);
  EXPECT_EQ(parse_duration("24h"), 24h);
  EXPECT_EQ(parse_duration("365d"), 365 * 24h);
  EXPECT_EQ(parse_duration("0s"), 0s);
}

TEST(Durations, RequireNumberAndUnit) {
  for (const auto* text :
       {"", "10", "s", "ten", "10 s", " 10s", "10s ", "1.5s", "-1s", "-0s", "+1s", "10sec", "10S"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(Durations, AreAtMostAHundredYears) {
  EXPECT_EQ(parse_duration("36500d"), max_duration);
  EXPECT_EQ(parse_duration("36501d"), std::nullopt);
  EXPECT_EQ(parse_duration("9223372036854775807d"), std::nullopt);
  EXPECT_EQ(parse_duration("99999999999999999999s"), std::nullopt);
}

TEST(Durations, AreFormattedInTheLargestWholeUnit) {
  EXPECT_EQ(duration_text(0s), "0s");
  EXPECT_EQ(duration_text(50us), "50us");
  EXPECT_EQ(duration_text(1500ms), "1500ms");
  EXPECT_EQ(duration_text(90min), "90m");
  EXPECT_EQ(duration_text(48h), "2d");
}

} // namespace roost::config::duration_test
