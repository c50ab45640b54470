#include "store/usage/costs.hpp"

#include <gtest/gtest.h>

namespace roost::testing::costs_test {

TEST(AiPrice, IsReadFromAPricingSnapshotExactly) {
  EXPECT_EQ(store::price_of(R"({"currency": "USD", "perMTok": {"input": 0.30, "output": 15}})"),
            (domain::ai_price{domain::parse_decimal("0.3"), domain::parse_decimal("15")}));
  EXPECT_EQ(store::price_of(R"({"perMTok": {"output": 1e-6, "batch": 1}})"),
            (domain::ai_price{std::nullopt, domain::parse_decimal("0.000001")}));
}

TEST(AiPrice, IsUnknownIfTheSnapshotLacksIt) {
  for (const auto* snapshot : {"", "{}", "[]", "{", R"({"perMTok": 3})", R"({"perMTok": {"input": null}})",
                               R"({"perMTok": {"input": "three"}})", R"({"perMTok": {"input": 1e400}})"})
    EXPECT_EQ(store::price_of(snapshot), domain::ai_price{}) << snapshot;
}

} // namespace roost::testing::costs_test
