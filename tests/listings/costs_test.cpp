#include "listings/costs.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::listings::costs_test {

using domain::deposit_mode, domain::fee_mode, domain::operator""_cents, domain::property, domain::to_string,
    domain::unit;

/// A unit with every cost, which tests change.
struct priced {
  unit terms;
  domain::property_terms property{.cleaning_fee = {.enabled = true, .value = 25'75_cents},
                                  .monthly_bills = 60'00_cents,
                                  .membership_fee = 30'00_cents,
                                  .parking = 45'00_cents};

  priced() {
    terms.rent.amount = 650'00_cents;
    terms.deposit = {deposit_mode::rent_multiple, 1'50};
    terms.admin_fee = {.enabled = true, .mode = fee_mode::fixed, .value = 149'50_cents};
  }

  /// Returns a line's amount, or `none` if it is missing.
  std::string value(std::string_view type) const {
    for (const auto& line : costs_of(terms, property))
      if (line.type == type) return to_string(line.value);
    return "none";
  }
};

std::string text_of(const cost_line& line) {
  return std::string{line.type} + ' ' + to_string(line.value) + ' ' + std::string{line.payable_at} +
         (line.required ? " required" : "") + (line.refundable ? " refundable" : "") +
         (line.estimated ? " estimated" : "") + '\n';
}

TEST(Costs, AreAllPositiveAmountsExceptTheRent) {
  const priced room;
  std::string text;
  for (const auto& line : costs_of(room.terms, room.property)) text += text_of(line);
  EXPECT_EQ(text, "security-deposit 975 move-in required refundable\n"
                  "administration-fee 150 move-in required\n"
                  "cleaning-fee 25.75 monthly required\n"
                  "membership-fee 30 move-in required\n"
                  "parking 45 monthly\n"
                  "other-additional-costs 60 monthly required estimated\n");
}

TEST(Costs, AreEmptyForAUnitWithoutAny) {
  unit free;
  free.rent.amount = 650'00_cents;
  EXPECT_TRUE(costs_of(free, {}).empty());
  const domain::property_terms zeros{{.enabled = true, .value = 0_cents}, 0_cents, 0_cents, 0_cents};
  free.admin_fee = {.enabled = true, .mode = fee_mode::fixed, .value = 0_cents};
  EXPECT_TRUE(costs_of(free, zeros).empty());
}

TEST(Costs, OmitFeesThatAreOff) {
  priced room;
  room.terms.admin_fee.enabled = false;
  room.property.cleaning_fee.enabled = false;
  EXPECT_EQ(room.value("administration-fee"), "none");
  EXPECT_EQ(room.value("cleaning-fee"), "none");
}

TEST(Costs, OmitIncludedBills) {
  priced room;
  room.terms.bills.included = true;
  EXPECT_EQ(room.value("other-additional-costs"), "none");
}

TEST(Costs, EstimateATieredFeeByItsHighestTier) {
  priced room;
  room.terms.admin_fee = {.enabled = true,
                          .mode = fee_mode::tiered,
                          .value = 10'00_cents,
                          .tiers = {{1, 99'50_cents}, {30, 150'25_cents}, {180, 0_cents}}};
  EXPECT_EQ(room.value("administration-fee"), "151");
  EXPECT_EQ(text_of(costs_of(room.terms, room.property)[1]),
            "administration-fee 151 move-in required estimated\n");
}

} // namespace roost::listings::costs_test
