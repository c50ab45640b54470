#include "domain/ai_budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::domain::ai_budget_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<int> reached(const char* cost, const ai_budget& budget = {{50'00}}) {
  return reached_thresholds(budget, parse_decimal(cost).value());
}

TEST(AiBudget, WarnsAtHalfAtFourFifthsAndAtTheWholeOfItByDefault) {
  EXPECT_THAT(reached("0"), IsEmpty());
  EXPECT_THAT(reached("24.999999999999999999"), IsEmpty());
  EXPECT_THAT(reached("25"), ElementsAre(50));
  EXPECT_THAT(reached("40.000000000000000001"), ElementsAre(50, 80));
  EXPECT_THAT(reached("1000"), ElementsAre(50, 80, 100));
}

TEST(AiBudget, ComparesExactly) {
  const ai_budget cent{{1}, {1, 33, 1'000}};
  EXPECT_THAT(reached("0.000099999999999999", cent), IsEmpty());
  EXPECT_THAT(reached("0.0001", cent), ElementsAre(1));
  EXPECT_THAT(reached("0.0033", cent), ElementsAre(1, 33));
  EXPECT_THAT(reached("0.1", cent), ElementsAre(1, 33, 1'000));
}

TEST(AiBudget, ComparesCostsOfAnySize) {
  EXPECT_THAT(reached("999999999999999999999999", {{99'999'999'99}, {1'000}}), ElementsAre(1'000));
}

} // namespace roost::domain::ai_budget_test
