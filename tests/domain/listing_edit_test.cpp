#include "domain/listing_edit.hpp"
#include "support/random_cases.hpp"

#include <algorithm>

/// The booking engine's listing updates, and the changelog that they produce.
namespace roost::domain::listing_edit_test {
const timestamp long_ago = *parse_timestamp("2026-01-10T08:00:00.000Z");
const timestamp now = *parse_timestamp("2026-11-20T09:30:00.000Z");

editable_terms fixed_at(std::int64_t cents) {
  editable_terms terms;
  terms.rent.amount = {cents};
  return terms;
}

editable_terms varying(std::initializer_list<std::pair<unsigned, std::int64_t>> months) {
  editable_terms terms;
  terms.rent.fixed = false;
  for (const auto& [month, cents] : months)
    terms.rent.per_month.push_back({month, {cents}, long_ago, long_ago});
  return terms;
}

listing_edit to_fixed(std::int64_t cents) {
  listing_edit edit;
  edit.rent = {cents};
  return edit;
}

listing_edit to_varying(std::int64_t cents, std::map<unsigned, money> months) {
  listing_edit edit;
  edit.rent_fixed = false;
  edit.rent = {cents};
  edit.per_month = std::move(months);
  return edit;
}

unit unit_with(const editable_terms& terms) {
  unit result;
  apply(terms, result);
  return result;
}

TEST(ListingEdit, AFixedRentClearsTheMonthlySchedule) {
  auto edit = to_fixed(700'00);
  edit.per_month = {{3, {900'00}}};
  const auto after = edited(varying({{1, 600'00}, {2, 650'00}}), edit, now);
  EXPECT_TRUE(after.rent.fixed);
  EXPECT_EQ(after.rent.amount, money{700'00});
  EXPECT_TRUE(after.rent.per_month.empty());
}

TEST(ListingEdit, AMissingMonthTakesTheRent) {
  const auto after = edited(fixed_at(500'00), to_varying(650'00, {{7, {800'00}}, {8, {0}}}), now);
  ASSERT_EQ(after.rent.per_month.size(), 12U);
  for (const auto& each : after.rent.per_month)
    EXPECT_EQ(each.rent, (each.month == 7 ? money{800'00} : each.month == 8 ? money{0} : money{650'00}));
}

TEST(ListingEdit, AMonthKeepsItsTimesUntilItsRentChanges) {
  const auto after = edited(varying({{1, 600'00}, {2, 650'00}}), to_varying(650'00, {{1, {610'00}}}), now);
  EXPECT_EQ(after.rent.per_month[0].created_at, long_ago);
  EXPECT_EQ(after.rent.per_month[0].updated_at, now);
  EXPECT_EQ(after.rent.per_month[1].updated_at, long_ago);
  EXPECT_EQ(after.rent.per_month[2].created_at, now);
}

TEST(ListingEdit, ARentOfZeroIsNotUsable) {
  EXPECT_FALSE(has_usable_rent(unit_with(edited(fixed_at(500'00), to_fixed(0), now))));
  EXPECT_FALSE(has_usable_rent(unit_with(edited(fixed_at(500'00), to_varying(0, {{1, {600'00}}}), now))));
  EXPECT_TRUE(has_usable_rent(unit_with(edited(fixed_at(0), to_fixed(1), now))));
}

TEST(ListingEdit, NoLimitKeepsItsRepresentation) {
  auto before = fixed_at(500'00);
  before.max_stay_months = 0;
  auto edit = to_fixed(500'00);
  EXPECT_EQ(edited(before, edit, now).min_stay_months, std::nullopt);
  EXPECT_EQ(edited(before, edit, now).max_stay_months, 0);
  edit.min_stay_months = 2;
  edit.max_stay_months = 12;
  EXPECT_EQ(edited(before, edit, now).min_stay_months, 2);
  EXPECT_EQ(edited(before, edit, now).max_stay_months, 12);
}

TEST(StayLimits, AreReversedIfNoStayFitsBoth) {
  EXPECT_TRUE(are_stay_limits(0, 0));
  EXPECT_TRUE(are_stay_limits(12, 0));
  EXPECT_TRUE(are_stay_limits(12, 12));
  EXPECT_FALSE(are_stay_limits(13, 12));
}

TEST(ListingChanges, NameEachFieldWithBothValues) {
  auto edit = to_varying(650'00, {{7, {800'50}}});
  edit.min_stay_months = 1;
  edit.max_stay_months = 11;
  edit.extra_price_per_tenant = {50'00};
  auto before = varying({{1, 650'00}, {2, 650'00}, {7, 700'00}});
  before.max_stay_months = 10;
  const auto changes = changes_between(before, edited(before, edit, now));
  const std::vector<field_change> expected{
      {"rent", "0", "650"},
      {"rentsPerMonth.3", "null", "650"},
      {"rentsPerMonth.4", "null", "650"},
      {"rentsPerMonth.5", "null", "650"},
      {"rentsPerMonth.6", "null", "650"},
      {"rentsPerMonth.7", "700", "800.5"},
      {"rentsPerMonth.8", "null", "650"},
      {"rentsPerMonth.9", "null", "650"},
      {"rentsPerMonth.10", "null", "650"},
      {"rentsPerMonth.11", "null", "650"},
      {"rentsPerMonth.12", "null", "650"},
      {"minStayPeriod", "null", "1"},
      {"maxStayPeriod", "10", "11"},
      {"extraPricePerTenant", "0", "50"},
  };
  EXPECT_EQ(changes, expected);
}

TEST(ListingChanges, RecordThatTheScheduleWasCleared) {
  const auto before = varying({{1, 600'00}});
  const std::vector<field_change> expected{
      {"isRentFixed", "false", "true"}, {"rent", "0", "700"}, {"rentsPerMonth.1", "600", "null"}};
  EXPECT_EQ(changes_between(before, edited(before, to_fixed(700'00), now)), expected);
}

TEST(ListingChanges, AreNoneWhenNothingChanged) {
  EXPECT_TRUE(changes_between(fixed_at(500'00), edited(fixed_at(500'00), to_fixed(500'00), now)).empty());
}

money any_rent(std::mt19937& random) { return {between(random, 0, 3) * 100'00}; } // few, so that some stay

editable_terms any_terms(std::mt19937& random) {
  editable_terms terms;
  terms.rent.fixed = int_between(random, 0, 1) == 0;
  terms.rent.amount = any_rent(random);
  for (unsigned month = 1; month <= 12 && !terms.rent.fixed; ++month)
    if (int_between(random, 0, 2) > 0)
      terms.rent.per_month.push_back({month, any_rent(random), long_ago, long_ago});
  if (int_between(random, 0, 1) == 0) terms.min_stay_months = int_between(random, 0, 2);
  if (int_between(random, 0, 1) == 0) terms.max_stay_months = int_between(random, 0, 2);
  terms.extra_price_per_tenant = any_rent(random);
  return terms;
}

listing_edit any_edit(std::mt19937& random) {
  listing_edit edit;
  edit.rent_fixed = int_between(random, 0, 1) == 0;
  edit.rent = any_rent(random);
  for (unsigned month = 1; month <= 12; ++month)
    if (int_between(random, 0, 1) == 0) edit.per_month.emplace(month, any_rent(random));
  edit.min_stay_months = int_between(random, 0, 2);
  edit.max_stay_months = int_between(random, 0, 2);
  edit.extra_price_per_tenant = any_rent(random);
  return edit;
}

TEST(ListingEditProperties, TheScheduleIsEmptyOrHasEveryMonthOnceInOrder) {
  for_random_cases(2'000, [](std::mt19937& random) {
    const auto edit = any_edit(random);
    const auto after = edited(any_terms(random), edit, now);
    EXPECT_EQ(after.rent.fixed, edit.rent_fixed);
    if (edit.rent_fixed) {
      EXPECT_TRUE(after.rent.per_month.empty());
      return;
    }
    ASSERT_EQ(after.rent.per_month.size(), 12U);
    for (unsigned month = 1; month <= 12; ++month) {
      const auto& stored = after.rent.per_month[month - 1];
      const auto sent = edit.per_month.find(month);
      EXPECT_EQ(stored.month, month);
      EXPECT_EQ(stored.rent, sent != edit.per_month.end() ? sent->second : edit.rent);
      EXPECT_LE(stored.created_at, stored.updated_at);
    }
  });
}

TEST(ListingEditProperties, TheSameEditAgainChangesNothing) {
  for_random_cases(2'000, [](std::mt19937& random) {
    const auto edit = any_edit(random);
    const auto once = edited(any_terms(random), edit, now);
    const auto twice = edited(once, edit, now + std::chrono::hours{1});
    EXPECT_TRUE(changes_between(once, twice).empty());
    EXPECT_TRUE(
        std::ranges::equal(once.rent.per_month, twice.rent.per_month, [](const auto& a, const auto& b) {
          return a.updated_at == b.updated_at && a.rent == b.rent;
        }));
  });
}

TEST(ListingEditProperties, AChangelogHasExactlyTheDifferences) {
  for_random_cases(2'000, [](std::mt19937& random) {
    const auto before = any_terms(random);
    const auto after = edited(before, any_edit(random), now);
    for (const auto& change : changes_between(before, after))
      EXPECT_NE(change.before, change.after) << change.field;
    EXPECT_TRUE(changes_between(after, after).empty());
    const auto there = changes_between(before, after), back = changes_between(after, before);
    ASSERT_EQ(there.size(), back.size());
    for (std::size_t i = 0; i < there.size(); ++i) {
      EXPECT_EQ(there[i].field, back[i].field);
      EXPECT_EQ(there[i].before, back[i].after);
      EXPECT_EQ(there[i].after, back[i].before);
    }
  });
}

} // namespace roost::domain::listing_edit_test
