#include "domain/ai_usage.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>

namespace roost::domain::ai_usage_test {

TEST(AiFeature, RoundTripsThroughItsName) {
  for (const auto name : ai_feature_names) EXPECT_EQ(to_string(parse_name<ai_feature>(name).value()), name);
  EXPECT_EQ(parse_name<ai_feature>("faq_generation"), ai_feature::faq_generation);
  for (const auto* name : {"", "chat", "Landlord_chat", "landlord_chat "})
    EXPECT_FALSE(parse_name<ai_feature>(name));
}

TEST(AiUsageProperty, TotalsDoNotDependOnTheOrder) {
  for_random_cases(200, [](std::mt19937& random) {
    const auto some = [&] {
      ai_usage_totals result{between(random, 0, 9),
                             {},
                             shifted(*parse_decimal(std::to_string(between(random, 0, 999'999))), -6)};
      result.tokens = {between(random, 0, 99), between(random, 0, 99), between(random, 0, 99),
                       between(random, 0, 99)};
      return result;
    };
    const auto a = some(), b = some();
    auto there = a, back = b;
    there += b;
    back += a;
    EXPECT_EQ(there.calls, a.calls + b.calls);
    EXPECT_EQ(there.tokens, back.tokens);
    EXPECT_EQ(there.tokens.total(), a.tokens.total() + b.tokens.total());
    EXPECT_EQ(there.cost, back.cost);
  });
}

} // namespace roost::domain::ai_usage_test
