#include "cli/month_picture.hpp"

#include <gtest/gtest.h>

namespace roost::testing::month_picture_test {
using namespace std::chrono_literals;

TEST(MonthPicture, MarksNightsInWeeksFromMondayOn) {
  const domain::date first_taken{2027y / 2 / 3}, last_taken{2027y / 2 / 14};
  const auto picture = cli::month_picture(
      2027y / 2, [&](domain::date day) { return day >= first_taken && day <= last_taken ? '#' : ' '; });
  EXPECT_EQ(picture, "February 2027\n"
                     " Mo  Tu  We  Th  Fr  Sa  Su\n"
                     "  1   2   3#  4#  5#  6#  7#\n"
                     "  8#  9# 10# 11# 12# 13# 14#\n"
                     " 15  16  17  18  19  20  21\n"
                     " 22  23  24  25  26  27  28\n");
}

TEST(MonthPicture, BeginsAndEndsWithinAWeek) {
  const auto picture = cli::month_picture(2027y / 1, [](domain::date) { return ' '; });
  EXPECT_EQ(picture, "January 2027\n"
                     " Mo  Tu  We  Th  Fr  Sa  Su\n"
                     "                  1   2   3\n"
                     "  4   5   6   7   8   9  10\n"
                     " 11  12  13  14  15  16  17\n"
                     " 18  19  20  21  22  23  24\n"
                     " 25  26  27  28  29  30  31\n");
}

TEST(MonthPicture, KnowsLeapYears) {
  const auto picture = cli::month_picture(2028y / 2, [](domain::date) { return ' '; });
  EXPECT_NE(picture.find(" 28  29\n"), std::string::npos);
  EXPECT_EQ(picture.find(" 30"), std::string::npos);
}

} // namespace roost::testing::month_picture_test
