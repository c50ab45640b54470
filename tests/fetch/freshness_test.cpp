#include "fetch/freshness.hpp"

#include <gtest/gtest.h>

namespace roost::fetch::freshness_test {

using namespace std::chrono_literals;

TEST(Freshness, IsTheMaximumAge) {
  EXPECT_EQ(freshness_of("max-age=600", ""), 600s);
  EXPECT_EQ(freshness_of("public, MAX-AGE = 600 ,must-revalidate", ""), 600s);
  EXPECT_EQ(freshness_of("max-age=\"600\"", ""), 600s);
}

TEST(Freshness, IsLessByTheAgeThatItHas) {
  EXPECT_EQ(freshness_of("max-age=600", "599"), 1s);
  EXPECT_EQ(freshness_of("max-age=600", "601"), 0s);
  EXPECT_EQ(freshness_of("max-age=600", "-1"), 600s); // no age
}

TEST(Freshness, IsNoneWhereNothingIsSaid) {
  for (const auto* each : {"", "public", "max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=soon",
                           "s-maxage=600", "x-max-age=600"})
    EXPECT_EQ(freshness_of(each, ""), 0s) << each;
}

TEST(Freshness, IsNoneOfWhatMayNotBeKept) {
  EXPECT_EQ(freshness_of("no-store, max-age=600", ""), 0s);
  EXPECT_EQ(freshness_of("max-age=600,No-Cache", ""), 0s);
}

TEST(Freshness, HasABound) {
  EXPECT_EQ(freshness_of("max-age=99999999999999999999999", ""), 2'147'483'648s);
  EXPECT_EQ(freshness_of("max-age=99999999999999999999999", "99999999999999999999999"), 0s);
}

} // namespace roost::fetch::freshness_test
