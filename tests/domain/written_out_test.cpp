#include "domain/written_out.hpp"

#include <gtest/gtest.h>

namespace roost::domain::written_out_test {

using namespace std::chrono_literals;

TEST(WrittenOut, TellsDaysAndMoments) {
  const auto moment = *parse_timestamp("2027-02-01T09:05:59.999Z");
  EXPECT_EQ(written_out(day_of(moment)), "1 February 2027");
  EXPECT_EQ(written_out(moment), "1 February 2027, 09:05 UTC");
}

TEST(WrittenOut, TellsATimeInTheLargestUnitThatFits) {
  EXPECT_EQ(written_out(10min), "10 minutes");
  EXPECT_EQ(written_out(1min), "1 minute");
  EXPECT_EQ(written_out(1h), "1 hour");
  EXPECT_EQ(written_out(90min), "90 minutes");
  EXPECT_EQ(written_out(90s), "90 seconds");
  EXPECT_EQ(written_out(1s), "1 second");
}

} // namespace roost::domain::written_out_test
