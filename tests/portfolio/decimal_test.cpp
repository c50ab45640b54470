#include "portfolio/decimal.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace roost::portfolio::decimal_test {
std::optional<std::int64_t> hundredths(std::string_view number) { return scaled(read_decimal(number), 2); }

std::optional<std::string> plain(std::string_view number) { return plain_text(read_decimal(number)); }

TEST(ScaledDecimal, IsExactOrNothing) {
  EXPECT_EQ(hundredths("0"), 0);
  EXPECT_EQ(hundredths("-0.00"), 0);
  EXPECT_EQ(hundredths("650"), 65000);
  EXPECT_EQ(hundredths("99.5"), 9950);
  EXPECT_EQ(hundredths("-1.25"), -125);
  EXPECT_EQ(hundredths("1.2500"), 125);
  EXPECT_EQ(hundredths("12.5e-1"), 125);
  EXPECT_EQ(hundredths("0.125E+1"), 125);
  EXPECT_EQ(hundredths("0.001"), std::nullopt);
  EXPECT_EQ(hundredths("1.005"), std::nullopt);
  EXPECT_EQ(hundredths("1e-3"), std::nullopt);
}

TEST(ScaledDecimal, StopsAtTheEndsOfItsType) {
  EXPECT_EQ(hundredths("9999999999999999"), 999999999999999900);
  EXPECT_EQ(hundredths("1e17"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(hundredths("-1e99999999999999999999"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(hundredths("1e-99999999999999999999"), std::nullopt);
  EXPECT_EQ(hundredths("0e99999999999999999999"), 0);
}

TEST(PlainDecimal, HasNoExponent) {
  EXPECT_EQ(plain("0"), "0");
  EXPECT_EQ(plain("0.021075"), "0.021075");
  EXPECT_EQ(plain("1.2e-5"), "0.000012");
  EXPECT_EQ(plain("12.50"), "12.5");
  EXPECT_EQ(plain("1.5e3"), "1500");
  EXPECT_EQ(plain("-0.5"), "-0.5");
  EXPECT_EQ(plain("123.456"), "123.456");
}

TEST(PlainDecimal, IsRefusedBeyondTheDigitsOfACost) {
  EXPECT_EQ(plain("999999999999999"), "999999999999999");
  EXPECT_EQ(plain("1e15"), std::nullopt);
  EXPECT_EQ(plain("1e-18"), "0.000000000000000001");
  EXPECT_EQ(plain("1e-19"), std::nullopt);
}

} // namespace roost::portfolio::decimal_test
