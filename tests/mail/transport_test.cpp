#include "mail/transport.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace roost::mail::transport_test {
using namespace std::chrono_literals;

TEST(RetryAfter, DoublesFrom30Seconds) {
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
  std::chrono::seconds total{};
  int attempts = 1;
  for (; const auto wait = retry_after(attempts); ++attempts) total += *wait;
  EXPECT_GE(total, 72h);
  EXPECT_LT(total, 73h);
  EXPECT_FALSE(retry_after(attempts + 1));
  EXPECT_FALSE(retry_after(std::numeric_limits<int>::max()));
}

} // namespace roost::mail::transport_test
