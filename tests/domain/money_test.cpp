#include "domain/money.hpp"
#include "support/random_cases.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace roost::domain::money_test {
struct reading {
  std::string text;
  std::int64_t cents;
};

void expect_readings(const std::vector<reading>& readings) {
  for (const auto& [text, cents] : readings) {
    const auto read = parse_money(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->cents, cents) << text;
  }
}

TEST(ParseMoney, ReadsDecimalsAndExponentsExactly) {
  expect_readings({{"0", 0},
                   {"-0", 0},
                   {"0.00", 0},
                   {"650", 65'000},
                   {"650.00", 65'000},
                   {"99.5", 9'950},
                   {"0.01", 1},
                   {"-12.34", -1'234},
                   {"6.5e2", 65'000},
                   {"65E+1", 65'000},
                   {"65000e-2", 65'000},
                   {"0.00000065e9", 65'000},
                   {"1e0", 100},
                   {"1e-00002", 1},
                   {"1e+007", 1'000'000'000},
                   {"1e15", 100'000'000'000'000'000},
                   {"-1e15", -100'000'000'000'000'000}});
}

TEST(ParseMoney, RoundsHalfCentsAwayFromZero) {
  expect_readings({{"0.005", 1},
                   {"0.00499999999999999999999", 0},
                   {"0.0050000000000000000001", 1},
                   {"1.005", 101},
                   {"1.0049", 100},
                   {"2.675", 268},
                   {"0.015", 2},
                   {"5e-3", 1},
                   {"4e-3", 0},
                   {"9e-4", 0},
                   {"-0.005", -1},
                   {"-0.0049", 0},
                   {"-1.005", -101},
                   {"99999999.994", 9'999'999'999},
                   {"99999999.995", 10'000'000'000},
                   {"1000000000000000.004", 100'000'000'000'000'000}});
}

TEST(ParseMoney, RoundsBeforeTheAmountLimitIsChecked) {
  EXPECT_LT(parse_money("99999999.994"), amount_limit);
  EXPECT_EQ(parse_money("99999999.995"), amount_limit);
  EXPECT_EQ(parse_money("1e8"), amount_limit);
}

TEST(ParseMoney, RejectsExcessiveAmounts) {
  for (const auto* text : {"1e308", "-1e308", "1e16", "9e15", "1000000000000000.005", "1000000000000000.01",
                           "99999999999999999999999999", "1e9223372036854775807", "0.1e9223372036854775807",
                           "1e99999999999999999999"})
    EXPECT_FALSE(parse_money(text)) << text;
}

TEST(ParseMoney, ReadsTheTiniestAmountsAsZero) {
  expect_readings({{"1e-400", 0},
                   {"-1e-400", 0},
                   {"0.1e-9223372036854775808", 0},
                   {"1e-99999999999999999999", 0},
                   {"0e999999", 0},
                   {"0e99999999999999999999", 0}});
}

TEST(ParseMoney, BalancesLongTextsAgainstTheirExponents) {
  const std::string zeros(200'000, '0');
  expect_readings({{"0." + zeros + "1e200001", 100}, {"65" + zeros + "e-200000", 6'500}});
}

TEST(ParseMoney, RejectsTextThatIsNotAJsonNumber) {
  for (const auto* text :
       {"",      "-",     "+1",       ".",     "-.",    ".5",    "-.5",   "1.",
        "1.e2",  "01",    "-01",      "00",    "1e",    "1e+",   "1e-",   "e5",
        "1e+-5", "1e++5", "1e5x",     "1e1.5", "0x10",  "1,5",   "1 000", " 1",
        "1 ",    "NaN",   "Infinity", "--1",   "1.2.3", "1e5e5", "1-2",   "1e999999999999999999999x",
        "€5",    "null"})
    EXPECT_FALSE(parse_money(text)) << text;
}

TEST(MoneyText, HasNoTrailingZeros) {
  const std::vector<reading> texts{{"0", 0},
                                   {"650", 65'000},
                                   {"99.5", 9'950},
                                   {"99.05", 9'905},
                                   {"0.5", 50},
                                   {"0.05", 5},
                                   {"-0.05", -5},
                                   {"-99.5", -9'950},
                                   {"-650", -65'000},
                                   {"99999999.99", 9'999'999'999},
                                   {"-92233720368547758.08", std::numeric_limits<std::int64_t>::min()}};
  for (const auto& [text, cents] : texts) EXPECT_EQ(to_string(money{cents}), text);
}

TEST(MoneyText, ReadsBackTheSame) {
  for_random_cases(5'000, [](std::mt19937& random) {
    const std::int64_t limit = between(random, 0, 1) ? 100'000'000'000'000'000 : 100'000;
    const money amount{between(random, -limit, limit)};
    const auto text = to_string(amount);
    EXPECT_EQ(parse_money(text), amount) << text;
    EXPECT_EQ(parse_money(text + "e0"), amount) << text;
    if (text.find('.') != std::string::npos) {
      EXPECT_NE(text.back(), '0') << text;
      EXPECT_NE(text.back(), '.') << text;
    }
  });
}

TEST(ParseMoney, RoundsThousandthsExactly) {
  for_random_cases(5'000, [](std::mt19937& random) {
    const auto thousandths = between(random, -10'000'000, 10'000'000);
    const auto size = std::abs(thousandths);
    const auto fraction = std::to_string(1'000 + size % 1'000).substr(1);
    const auto text = (thousandths < 0 ? "-" : "") + std::to_string(size / 1'000) + "." + fraction;
    const auto expected = (size + 5) / 10;
    EXPECT_EQ(parse_money(text), money{thousandths < 0 ? -expected : expected}) << text;
  });
}

TEST(RoundUp, GoesToTheNextWholeNumberAndLeavesWholeOnes) {
  EXPECT_EQ(round_up(0_cents), 0_cents);
  EXPECT_EQ(round_up(1_cents), 100_cents);
  EXPECT_EQ(round_up(100_cents), 100_cents);
  EXPECT_EQ(round_up(101_cents), 200_cents);
  EXPECT_EQ(round_up(682'50_cents), 683'00_cents);
  EXPECT_EQ(round_up(money{-50}), 0_cents);
  EXPECT_EQ(round_up(money{-100}), money{-100});
  EXPECT_EQ(round_up(money{-150}), money{-100});
}

TEST(DivideRounding, GoesHalfAwayFromZero) {
  EXPECT_EQ(divide_rounding(0, 7), 0);
  EXPECT_EQ(divide_rounding(1, 2), 1);
  EXPECT_EQ(divide_rounding(-1, 2), -1);
  EXPECT_EQ(divide_rounding(5, 2), 3);
  EXPECT_EQ(divide_rounding(-5, 2), -3);
  EXPECT_EQ(divide_rounding(4, 3), 1);
  EXPECT_EQ(divide_rounding(5, 3), 2);
  EXPECT_EQ(divide_rounding(-4, 3), -1);
  EXPECT_EQ(divide_rounding(-5, 3), -2);
}

TEST(Hundredths, AreAPartRoundedToTheCent) {
  EXPECT_EQ(hundredths(650'00_cents, 100), 650'00_cents);
  EXPECT_EQ(hundredths(650'50_cents, 150), 975'75_cents);
  EXPECT_EQ(hundredths(650'00_cents, 0), 0_cents);
  EXPECT_EQ(hundredths(1_cents, 50), 1_cents);
  EXPECT_EQ(hundredths(1_cents, 49), 0_cents);
  EXPECT_EQ(hundredths(3_cents, 150), 5_cents);
  EXPECT_EQ(hundredths(money{-1}, 150), money{-2});
}

TEST(Money, SupportsArithmeticAndComparison) {
  EXPECT_EQ(10'50_cents + 1'75_cents, 12'25_cents);
  EXPECT_EQ(10'50_cents - 11'00_cents, money{-50});
  EXPECT_EQ(10'50_cents * 3, 31'50_cents);
  EXPECT_LT(9'99_cents, 10'00_cents);
}

} // namespace roost::domain::money_test
