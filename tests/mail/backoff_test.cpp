#include "mail/transport.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace roost::mail::backoff_test {
using namespace std::chrono_literals;

TEST(RetryAfter, DoublesFromHalfAMinute) {
  EXPECT_EQ(retry_after(1), 30s);
  EXPECT_EQ(retry_after(2), 1min);
  EXPECT_EQ(retry_after(3), 2min);
  EXPECT_EQ(retry_after(7), 32min);
}

TEST(RetryAfter, NeverWaitsLongerThanAnHour) {
  EXPECT_EQ(retry_after(8), 1h);
  EXPECT_EQ(retry_after(40), 1h);
}

TEST(RetryAfter, GivesUpAfterAboutThreeDays) {
  std::chrono::seconds waited{};
  int attempts = 1;
  for (; const auto wait = retry_after(attempts); ++attempts) waited += *wait;
  EXPECT_GE(waited, 72h);
  EXPECT_LT(waited, 73h);
  EXPECT_FALSE(retry_after(attempts + 1));
  EXPECT_FALSE(retry_after(std::numeric_limits<int>::max()));
}

} // namespace roost::mail::backoff_test
