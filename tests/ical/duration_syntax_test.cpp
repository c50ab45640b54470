#include "ical/duration_syntax.hpp"

#include <gtest/gtest.h>

namespace roost::ical::duration_syntax_test {

TEST(DurationSyntax, AcceptsDurationsInTheOrderOfTheirUnits) {
  for (const auto* text :
       {"P1D", "P2W", "PT1H", "PT1H30M", "PT90S", "P1DT2H3M4S", "-P1D", "+PT5M", "P999999999D"})
    EXPECT_TRUE(is_duration(text)) << text;
}

TEST(DurationSyntax, RejectsEverythingElse) {
  for (const auto* text : {"",      "P",     "PT",           "1D",     "P1",     "P1DT",   "PD",   "P1X",
                           "P1H",   "PT1D",  "P1DT2",        "P12T3H", "P1D2W",  "PT1M2H", "P1D ", " P1D",
                           "--P1D", "P1.5D", "P1000000000D", "p1d",    "P1DP1D", "P-1D"})
    EXPECT_FALSE(is_duration(text)) << text;
}

TEST(DurationSyntax, ChecksTheDurationsOfPeriods) {
  for (const auto* text : {"20270101", "20270101T150000Z/P2D", "20270101T150000Z/20270102T150000Z",
                           "20270101T150000Z/PT2H,20270201T150000Z/P1W"})
    EXPECT_TRUE(has_valid_durations(text)) << text;
  for (const auto* text : {"20270101T150000Z/P2", "20270101T150000Z/PT2H,20270201T150000Z/P"})
    EXPECT_FALSE(has_valid_durations(text)) << text;
}

} // namespace roost::ical::duration_syntax_test
