#include "domain/unit.hpp"
#include "support/random_cases.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace roost::domain::unit_test {
unit priced_at(money rent) {
  unit result;
  result.rent.amount = rent;
  return result;
}

unit priced_in(const std::vector<std::pair<unsigned, money>>& months) {
  unit result;
  result.rent.fixed = false;
  for (const auto& [month, rent] : months) result.rent.per_month.push_back({.month = month, .rent = rent});
  return result;
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

TEST(UsableRent, IsNotAnEmptyScheduleWhateverTheFixedAmount) {
  auto room = priced_in({});
  room.rent.amount = 650'00_cents;
  EXPECT_FALSE(has_usable_rent(room));
}

TEST(UsableRent, IgnoresAnUnusedSchedule) {
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
  unit result;
  result.admin_fee = {.enabled = true, .mode = fee_mode::tiered, .tiers = std::move(tiers)};
  return result;
}

money fee_for_days(const unit& unit, int stayed) {
  return admin_fee_for(unit, "2027-02-10"_date, "2027-02-10"_date + days{stayed});
}

TEST(AdminFee, IsTheHighestTierThatTheStayReaches) {
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

TEST(AdminFee, IsZeroBelowTheFirstTier) {
  EXPECT_EQ(fee_for_days(with_tiers({{30, 150'00_cents}}), 29), 0_cents);
}

TEST(AdminFee, IsFlatWhenFixed) {
  unit room;
  room.admin_fee = {.enabled = true, .mode = fee_mode::fixed, .value = 149'50_cents};
  EXPECT_EQ(fee_for_days(room, 1), 149'50_cents);
  EXPECT_EQ(fee_for_days(room, 400), 149'50_cents);
}

TEST(AdminFee, IsZeroIfItIsOff) {
  auto room = with_tiers({{1, 99'50_cents}});
  room.admin_fee.enabled = false;
  EXPECT_EQ(fee_for_days(room, 90), 0_cents);
  room.admin_fee = {.enabled = false, .mode = fee_mode::fixed, .value = 149'50_cents};
  EXPECT_EQ(fee_for_days(room, 90), 0_cents);
}

const date today = "2026-11-20"_date;

/// Returns a window for tests in which only the check-in range matters.
booking_window starting(date first, date last) { return {first, last, last + days{30}, last + days{60}}; }

/// Returns the first check-in of the open window.
std::string opened(std::vector<booking_window> windows) {
  unit terms;
  terms.booking_windows = std::move(windows);
  const auto* open = open_window(terms, today);
  return open ? to_string(open->min_start) : "none";
}

TEST(OpenWindow, IsTheFirstWhoseLastCheckInIsTodayOrLater) {
  const auto past = starting("2026-01-01"_date, "2026-11-19"_date),
             ending_today = starting("2026-02-01"_date, "2026-11-20"_date),
             next = starting("2027-01-01"_date, "2027-02-01"_date);
  EXPECT_EQ(opened({past, ending_today, next}), "2026-02-01");
  EXPECT_EQ(opened({past, next}), "2027-01-01");
}

TEST(OpenWindow, IsTheFirstInTimeHoweverTheyAreListed) {
  const auto soon = starting("2026-12-01"_date, "2027-06-01"_date),
             later = starting("2027-01-01"_date, "2027-02-01"_date);
  EXPECT_EQ(opened({later, soon}), "2026-12-01");
  EXPECT_EQ(opened({soon, later}), "2026-12-01");
}

TEST(OpenWindow, IsNullIfAllAreOverOrThereIsNone) {
  EXPECT_EQ(opened({}), "none");
  EXPECT_EQ(opened({starting("2026-01-01"_date, "2026-11-19"_date)}), "none");
}

/// Returns the limits as `min..max` in months.
std::string limits(date min_start, date max_start, date min_end, date max_end) {
  const auto stay = limits_in({min_start, max_start, min_end, max_end});
  return std::to_string(*stay.min_months) + ".." + std::to_string(*stay.max_months);
}

TEST(WindowLimits, RoundTheMinimumDownAndTheMaximumUp) {
  EXPECT_EQ(limits("2027-01-01"_date, "2027-02-01"_date, "2027-06-01"_date, "2027-08-01"_date), "4..7");
  EXPECT_EQ(limits("2027-01-01"_date, "2027-02-01"_date, "2027-05-31"_date, "2027-08-02"_date), "3..8");
  EXPECT_EQ(limits("2027-01-01"_date, "2027-02-01"_date, "2027-06-30"_date, "2027-07-31"_date), "4..7");
}

TEST(WindowLimits, HaveAMinimumOf0WhenTheRangesTouchOrOverlap) {
  EXPECT_EQ(limits("2027-01-01"_date, "2027-02-01"_date, "2027-02-01"_date, "2027-03-01"_date), "0..2");
  EXPECT_EQ(limits("2027-01-01"_date, "2027-06-01"_date, "2027-02-01"_date, "2027-07-01"_date), "0..6");
  EXPECT_EQ(limits("2027-01-01"_date, "2027-01-01"_date, "2027-01-31"_date, "2027-01-31"_date), "0..1");
}

TEST(WindowLimits, CountAMonthThatEndsOnItsClampedDay) {
  EXPECT_EQ(limits("2027-01-31"_date, "2027-01-31"_date, "2027-02-28"_date, "2027-02-28"_date), "1..1");
  EXPECT_EQ(limits("2027-12-31"_date, "2027-12-31"_date, "2028-02-28"_date, "2028-02-29"_date), "1..2");
}

TEST(WindowLimits, AreTheUnitsOwnWithoutAnOpenWindow) {
  unit terms;
  terms.min_stay_months = 3;
  terms.booking_windows = {starting("2026-01-01"_date, "2026-11-19"_date)};
  const auto own = limits_by_window(terms, today);
  EXPECT_EQ(own.min_months, 3);
  EXPECT_EQ(own.max_months, std::nullopt);
  terms.booking_windows.push_back(starting("2027-01-01"_date, "2027-01-01"_date));
  const auto windows = limits_by_window(terms, today);
  EXPECT_EQ(windows.min_months, 0); // 30 days of January
  EXPECT_EQ(windows.max_months, 3); // to March 2
}

TEST(WindowLimits, NeverExcludeAStayThatTheWindowAllows) {
  for_random_cases(2'000, [](std::mt19937& random) {
    booking_window window;
    window.min_start = today + days{int_between(random, 0, 800)};
    window.max_start = window.min_start + days{int_between(random, 0, 90)};
    window.min_end = window.min_start + days{int_between(random, 1, 500)};
    window.max_end = std::max(window.min_end, window.max_start + days{1}) + days{int_between(random, 0, 90)};
    const auto stay = limits_in(window);
    for (int tries = 0; tries < 20; ++tries) {
      const date in =
          window.min_start +
          days{int_between(random, 0, static_cast<int>((window.max_start - window.min_start).count()))};
      const date out =
          window.min_end +
          days{int_between(random, 0, static_cast<int>((window.max_end - window.min_end).count()))};
      if (out <= in) continue;
      EXPECT_LE(add_months(in, *stay.min_months), out) << text_of(stay_nights(in, out));
      EXPECT_GE(add_months(in, *stay.max_months), out) << text_of(stay_nights(in, out));
    }
  });
}

} // namespace roost::domain::unit_test
