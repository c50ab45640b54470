#include "domain/ai_usage.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>

namespace roost::domain::ai_usage_test {

decimal number(std::string_view text) { return parse_decimal(text).value(); }

TEST(AiFeature, RoundTripsThroughItsName) {
  for (const auto name : ai_feature_names) EXPECT_EQ(to_string(parse_name<ai_feature>(name).value()), name);
  EXPECT_EQ(parse_name<ai_feature>("faq_generation"), ai_feature::faq_generation);
  for (const auto* name : {"", "chat", "Landlord_chat", "landlord_chat "})
    EXPECT_FALSE(parse_name<ai_feature>(name));
}

TEST(AiPrice, IsReadFromAPricingSnapshotExactly) {
  EXPECT_EQ(price_of(R"({"currency": "USD", "perMTok": {"input": 0.30, "output": 15}})"),
            (ai_price{number("0.3"), number("15")}));
  EXPECT_EQ(price_of(R"({"perMTok": {"output": 1e-6, "batch": 1}})"),
            (ai_price{std::nullopt, number("0.000001")}));
}

TEST(AiPrice, IsUnknownIfTheSnapshotLacksIt) {
  for (const auto* snapshot : {"", "{}", "[]", "{", R"({"perMTok": 3})", R"({"perMTok": {"input": null}})",
                               R"({"perMTok": {"input": "three"}})", R"({"perMTok": {"input": 1e400}})"})
    EXPECT_EQ(price_of(snapshot), ai_price{}) << snapshot;
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
