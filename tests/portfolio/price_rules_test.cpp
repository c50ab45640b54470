#include "rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::portfolio::price_rules_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Rent, IsFixedWithAnAmountOrVariesByMonth) {
  const auto rent_problems = [](const std::string& rent) {
    return problems_of(edited(whole_document, {{unit + "/rent", rent}}));
  };
  const auto rent = unit + "/rent";
  EXPECT_THAT(rent_problems(R"({"amount": 0})"), IsEmpty());
  EXPECT_THAT(rent_problems(R"({"fixed": true, "amount": 5, "perMonth": []})"), IsEmpty());
  EXPECT_THAT(rent_problems(R"({"fixed": false, "perMonth": []})"), IsEmpty());
  EXPECT_THAT(rent_problems(R"({"fixed": true})"),
              ElementsAre(rent + "/amount: is required when the rent is fixed"));
  EXPECT_THAT(rent_problems(R"({"amount": 5, "perMonth": [{"month": 1, "rent": 5}]})"),
              ElementsAre(rent + "/perMonth: must be left out when the rent is fixed"));
  EXPECT_THAT(rent_problems(R"({"fixed": false})"),
              ElementsAre(rent + "/perMonth: is required when the rent varies"));
  EXPECT_THAT(rent_problems(R"({"fixed": false, "amount": 5, "perMonth": []})"),
              ElementsAre(rent + "/amount: must be left out when the rent varies"));
  EXPECT_THAT(
      rent_problems(R"({"fixed": false, "perMonth": [{"month": 13, "rent": 1}, {"month": 2, "rent": 1},
                                {"month": 2, "rent": 2}, {"month": 3}]})"),
      ElementsAre(rent + "/perMonth/0/month: must be a whole number from 1 to 12",
                  rent + "/perMonth/2/month: is priced already", rent + "/perMonth/3/rent: is required"));
}

TEST(AdminFee, IsFixedOrTiered) {
  const auto fee_problems = [](const std::string& fee) {
    return problems_of(edited(whole_document, {{unit + "/adminFee", fee}}));
  };
  const auto fee = unit + "/adminFee";
  EXPECT_THAT(fee_problems(R"({"enabled": false})"), IsEmpty());
  EXPECT_THAT(fee_problems(R"({"mode": "fixed", "value": 0, "tiers": []})"), IsEmpty());
  EXPECT_THAT(fee_problems(R"({"enabled": true})"),
              ElementsAre(fee + "/value: is required when the fee is fixed"));
  EXPECT_THAT(fee_problems(R"({"mode": "tiered", "tiers": []})"),
              ElementsAre(fee + "/tiers: must not be empty when the fee is tiered"));
  EXPECT_THAT(fee_problems(R"({"mode": "tiered", "value": 5, "tiers": [{"fromDays": 1, "value": 5}]})"),
              ElementsAre(fee + "/value: must be left out when the fee is tiered"));
  EXPECT_THAT(fee_problems(R"({"value": 5, "tiers": [{"fromDays": 1, "value": 5}]})"),
              ElementsAre(fee + "/tiers: must be left out when the fee is fixed"));
  EXPECT_THAT(
      fee_problems(R"({"mode": "tiered", "tiers": [{"fromDays": 0, "value": 5}, {"fromDays": 9, "value": 5},
                               {"fromDays": 9, "value": 5}, {"fromDays": 10, "value": 5.001}]})"),
      ElementsAre(fee + "/tiers/0/fromDays: must be a whole number from 1 to 36500",
                  fee + "/tiers/2/fromDays: must be greater than the one before",
                  fee + "/tiers/3/value: must be a number with at most two decimals"));
  EXPECT_TRUE(parsed(edited(whole_document, {{fee, R"({"value": 5})"}}))
                  .accounts[0]
                  .properties[0]
                  .units[0]
                  .terms.admin_fee.enabled);
}

TEST(Deposit, IsAnAmountOrAMultipleOfTheRent) {
  const auto value = unit + "/deposit/value";
  expect_rules({
      {value, "0.5", ""},
      {value, "99.99", ""},
      {value, "100", "must be below 100"},
      {value, "1.005", "must be a number with at most two decimals"},
      {value, "-1", "must not be less than 0"},
      {unit + "/deposit", R"({"mode": "fixed", "value": 1000})", ""},
      {unit + "/deposit/mode", "\"multiple\"", "must be one of fixed, rentMultiple"},
  });
}

TEST(Markup, HasAValueUnlessItIsNone) {
  const auto markup = account + "/platformCards/0/markup";
  expect_rules({
      {markup, R"({"mode": "none"})", ""},
      {markup, R"({"mode": "fixed", "value": 2000})", ""},
      {markup + "/value", "999.99", ""},
      {markup + "/value", "1000", "must be below 1000"},
      {markup + "/value", "0.125", "must be a number with at most two decimals"},
      {markup + "/value", "", "is required"},
      {markup + "/mode", "\"percent\"", "must be one of none, percentage, fixed"},
  });
  EXPECT_THAT(problems_of(edited(whole_document, {{markup + "/mode", "\"none\""}})),
              ElementsAre(markup + "/value: must be left out when mode is none"));
}

TEST(PaymentTerms, NameAnItemOnce) {
  const auto terms = account + "/paymentTerms";
  expect_rules({
      {terms + "/confirmation", "[]", ""},
      {terms + "/checkIn/1", "\"deposit\"", "is due already"},
      {terms + "/checkIn/1", "\"firstRent\"", "is due already"},
  });
}

} // namespace roost::portfolio::price_rules_test
