#include "domain/money.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace roost::domain::decimal_test {

decimal number(std::string_view text) { return parse_decimal(text).value(); }

std::optional<std::int64_t> hundredths(std::string_view text) { return scaled(number(text), 2); }

std::string plain(std::string_view text) { return to_string(number(text)); }

TEST(Decimal, ParsesJsonNumbers) {
  for (const auto* text :
       {"", "-", "+1", "01", ".5", "1.", "1..2", "1e", "1e+-2", "0x10", " 1", "NaN", "1,5"})
    EXPECT_FALSE(parse_decimal(text)) << text;
  EXPECT_EQ(number("-0.00"), decimal{});
  EXPECT_EQ(number("12.50"), (decimal{false, "125", -1}));
  EXPECT_EQ(number("1.2E-5"), number("0.000012"));
  EXPECT_EQ(number("1500"), number("1.5e+3"));
}

TEST(ScaledDecimal, IsExactOrNullopt) {
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

TEST(ScaledDecimal, SaturatesAtTheLimitsOfItsType) {
  EXPECT_EQ(hundredths("9999999999999999"), 999999999999999900);
  EXPECT_EQ(hundredths("1e17"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(hundredths("-1e99999999999999999999"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(hundredths("1e-99999999999999999999"), std::nullopt);
  EXPECT_EQ(hundredths("0e99999999999999999999"), 0);
}

TEST(DecimalText, HasNeitherExponentNorTrailingZeros) {
  EXPECT_EQ(plain("0"), "0");
  EXPECT_EQ(plain("0.021075"), "0.021075");
  EXPECT_EQ(plain("1.2e-5"), "0.000012");
  EXPECT_EQ(plain("12.50"), "12.5");
  EXPECT_EQ(plain("1.5e3"), "1500");
  EXPECT_EQ(plain("-0.5"), "-0.5");
  EXPECT_EQ(plain("123.456"), "123.456");
}

TEST(DecimalDigits, AreCountedOnBothSidesOfThePoint) {
  EXPECT_TRUE(has_digits(number("999999999999999"), 15, 18));
  EXPECT_FALSE(has_digits(number("1e15"), 15, 18));
  EXPECT_TRUE(has_digits(number("1e-18"), 15, 18));
  EXPECT_FALSE(has_digits(number("1e-19"), 15, 18));
  EXPECT_TRUE(has_digits(number("0e99"), 15, 18));
  EXPECT_FALSE(has_digits(number("1e999999999999"), 15, 18));
}

TEST(DecimalTruncation, CutsOffTheFraction) {
  EXPECT_EQ(truncated(number("40.129"), 2), 4012);
  EXPECT_EQ(truncated(number("-40.129"), 2), -4012);
  EXPECT_EQ(truncated(number("40"), 2), 4000);
  EXPECT_EQ(truncated(number("0.009"), 2), 0);
  EXPECT_EQ(truncated(number("0"), 4), 0);
  EXPECT_EQ(truncated(number("12345.6"), -2), 123);
  EXPECT_EQ(truncated(number("1e30"), 2), std::numeric_limits<std::int64_t>::max());
}

TEST(DecimalSum, IsExactUnlikeBinaryFloats) {
  EXPECT_EQ(number("0.1") + number("0.2"), number("0.3"));
  EXPECT_EQ(number("999999999999999") + number("0.000000000000000001"),
            number("999999999999999.000000000000000001"));
  EXPECT_EQ(number("0.5") + number("0.5"), number("1"));
  EXPECT_EQ(number("1") + number("-1"), decimal{});
  EXPECT_EQ(number("1") + number("-1.5"), number("-0.5"));
  EXPECT_EQ(number("-2") + number("0.5"), number("-1.5"));
}

TEST(DecimalSum, ExceedsMachineWords) {
  decimal sum;
  for (int i = 0; i < 1000; ++i) sum += number("999999999999999999999999999999");
  EXPECT_EQ(to_string(sum), "999999999999999999999999999999000");
}

/// Returns a number of at most 9 digits, with its value × 10^6.
std::pair<decimal, std::int64_t> random_decimal(std::mt19937& random) {
  const auto millionths = between(random, -999'999'999, 999'999'999);
  return {shifted(number(std::to_string(millionths)), -6), millionths};
}

TEST(DecimalProperty, SumsAgreeWithWholeNumbersInAnyOrder) {
  for_random_cases(500, [](std::mt19937& random) {
    const auto [a, a_millionths] = random_decimal(random);
    const auto [b, b_millionths] = random_decimal(random);
    const auto [c, c_millionths] = random_decimal(random);
    EXPECT_EQ(a + b, b + a);
    EXPECT_EQ((a + b) + c, a + (b + c));
    EXPECT_EQ(scaled(a + b + c, 6), a_millionths + b_millionths + c_millionths);
  });
}

TEST(DecimalProperty, TextIsReadBackAsTheSameNumber) {
  for_random_cases(500, [](std::mt19937& random) {
    const auto value = shifted(random_decimal(random).first, between(random, -20, 20));
    EXPECT_EQ(parse_decimal(to_string(value)), value);
  });
}

} // namespace roost::domain::decimal_test
