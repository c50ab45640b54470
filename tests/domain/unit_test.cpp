#include "domain/unit.hpp"
#include "domain/values.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace roost::domain::unit_test {
unit priced_at(money rent) {
  unit made;
  made.rent.amount = rent;
  return made;
}

unit priced_in(const std::vector<std::pair<unsigned, money>>& months) {
  unit made;
  made.rent.fixed = false;
  for (const auto& [month, rent] : months) made.rent.per_month.push_back({.month = month, .rent = rent});
  return made;
}

TEST(UsableRent, IsAFixedRentAboveZero) {
  EXPECT_TRUE(has_usable_rent(priced_at(1_cents)));
  EXPECT_FALSE(has_usable_rent(priced_at(0_cents)));
}

TEST(UsableRent, IsAVariableRentWithEveryMonthAboveZero) {
  EXPECT_TRUE(has_usable_rent(priced_in({{1, 500'00_cents}, {2, 1_cents}})));
  EXPECT_TRUE(has_usable_rent(priced_in({{7, 500'00_cents}})));
  EXPECT_FALSE(has_usable_rent(priced_in({{1, 500'00_cents}, {2, 0_cents}})));
}

TEST(UsableRent, IsNotAnEmptyGridWhateverTheFixedAmountWas) {
  auto room = priced_in({});
  room.rent.amount = 650'00_cents;
  EXPECT_FALSE(has_usable_rent(room));
}

TEST(UsableRent, IgnoresAGridThatIsNotInUse) {
  auto room = priced_in({{1, 0_cents}});
  room.rent.fixed = true;
  room.rent.amount = 650'00_cents;
  EXPECT_TRUE(has_usable_rent(room));
}

TEST(HeadlineRent, IsTheFixedRentOrTheHighestMonth) {
  EXPECT_EQ(headline_rent(priced_at(650'50_cents)), 650'50_cents);
  EXPECT_EQ(headline_rent(priced_in({{1, 500'00_cents}, {7, 900'25_cents}, {12, 700'00_cents}})),
            900'25_cents);
  EXPECT_EQ(headline_rent(priced_in({})), 0_cents);
}

TEST(DepositForOne, IsAFixedAmountWhateverTheRent) {
  auto room = priced_at(650'00_cents);
  room.deposit = {deposit_mode::fixed, 1'000'50};
  EXPECT_EQ(deposit_for_one(room), 1'000'50_cents);
  room.deposit = {deposit_mode::fixed, 0};
  EXPECT_EQ(deposit_for_one(room), 0_cents);
}

TEST(DepositForOne, IsAMultipleOfTheRent) {
  auto room = priced_at(650'50_cents);
  room.deposit = {deposit_mode::rent_multiple, 1'00};
  EXPECT_EQ(deposit_for_one(room), 650'50_cents);
  room.deposit = {deposit_mode::rent_multiple, 1'50};
  EXPECT_EQ(deposit_for_one(room), 975'75_cents);
}

TEST(DepositForOne, RoundsHalfACentUp) {
  auto room = priced_at(650'01_cents);
  room.deposit = {deposit_mode::rent_multiple, 1'50};
  EXPECT_EQ(deposit_for_one(room), 975'02_cents);
}

TEST(DepositForOne, IsAMultipleOfTheHighestMonthWhenTheRentVaries) {
  auto room = priced_in({{1, 500'00_cents}, {7, 900'00_cents}});
  room.deposit = {deposit_mode::rent_multiple, 2'00};
  EXPECT_EQ(deposit_for_one(room), 1'800'00_cents);
}

unit with_tiers(std::vector<admin_fee_tier> tiers) {
  unit made;
  made.admin_fee = {.enabled = true, .mode = fee_mode::tiered, .tiers = std::move(tiers)};
  return made;
}

money fee_for_days(const unit& of, int stayed) {
  return admin_fee_for(of, "2027-02-10"_date, "2027-02-10"_date + days{stayed});
}

TEST(AdminFee, IsTheTierWithTheMostDaysThatTheStayReaches) {
  const auto room = with_tiers({{1, 99'50_cents}, {30, 150'00_cents}, {180, 75'00_cents}});
  EXPECT_EQ(fee_for_days(room, 1), 99'50_cents);
  EXPECT_EQ(fee_for_days(room, 29), 99'50_cents);
  EXPECT_EQ(fee_for_days(room, 30), 150'00_cents);
  EXPECT_EQ(fee_for_days(room, 179), 150'00_cents);
  EXPECT_EQ(fee_for_days(room, 180), 75'00_cents);
}

TEST(AdminFee, KeepsItsLastTierForStaysOfAnyLength) {
  const auto room = with_tiers({{1, 99'50_cents}, {180, 75'00_cents}});
  EXPECT_EQ(fee_for_days(room, 365), 75'00_cents);
  EXPECT_EQ(fee_for_days(room, 36'500), 75'00_cents);
}

TEST(AdminFee, DoesNotCountTheCheckOutDay) {
  const auto room = with_tiers({{1, 10'00_cents}, {28, 20'00_cents}});
  EXPECT_EQ(admin_fee_for(room, "2027-02-01"_date, "2027-02-28"_date), 10'00_cents);
  EXPECT_EQ(admin_fee_for(room, "2027-02-01"_date, "2027-03-01"_date), 20'00_cents);
}

TEST(AdminFee, IsNothingBelowTheFirstTier) {
  EXPECT_EQ(fee_for_days(with_tiers({{30, 150'00_cents}}), 29), 0_cents);
}

TEST(AdminFee, IsFlatWhenFixed) {
  unit room;
  room.admin_fee = {.enabled = true, .mode = fee_mode::fixed, .value = 149'50_cents};
  EXPECT_EQ(fee_for_days(room, 1), 149'50_cents);
  EXPECT_EQ(fee_for_days(room, 400), 149'50_cents);
}

TEST(AdminFee, IsNothingWhenItIsOff) {
  auto room = with_tiers({{1, 99'50_cents}});
  room.admin_fee.enabled = false;
  EXPECT_EQ(fee_for_days(room, 90), 0_cents);
  room.admin_fee = {.enabled = false, .mode = fee_mode::fixed, .value = 149'50_cents};
  EXPECT_EQ(fee_for_days(room, 90), 0_cents);
}

} // namespace roost::domain::unit_test
