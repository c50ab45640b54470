#include "domain/stay_decision.hpp"
#include "support/random_cases.hpp"
#include "support/values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace roost::domain::stay_decision_test {
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A landlord's setup, which tests change before the decision.
struct setup {
  domain::account account;
  property_terms property;
  domain::unit unit;
  platform_card card;
  domain::platform platform;
  bool is_sold_on_platform = true, is_withheld = false;
  std::vector<block> blocks;
  requested_stay stay{.check_in = "2027-01-15"_date,
                      .check_out = "2027-04-10"_date,
                      .occupants = 1,
                      .provider_payment = 683'00_cents,
                      .confirmed_on = "2026-11-20"_date};

  setup() {
    unit.rent.amount = 650'50_cents;
    unit.capacity = 2;
    card.markup = {markup_mode::percentage, 5'00};
    platform.kind = platform_kind::marketplace_a;
  }

  bookable_unit bookable() const {
    if (is_sold_on_platform) return {{account, property, unit, &card}, &platform, is_withheld};
    return {{account, property, unit, nullptr, true}, nullptr, is_withheld};
  }
  stay_decision decide() const { return domain::decide(bookable(), stay, domain::calendar{blocks}); }

  void block_nights(date first, date last, block_source source = block_source::manual) {
    block added;
    added.id.data[0] = static_cast<std::uint8_t>(blocks.size() + 1);
    added.nights = {first, last};
    added.source = source;
    blocks.push_back(added);
  }
};

TEST(StayDecision, BooksFreeNights) {
  setup from;
  from.unit.preparation_days = 2;
  const auto decision = from.decide();
  EXPECT_EQ(decision.refused(), std::nullopt);
  EXPECT_THAT(decision.taken, IsEmpty());
  EXPECT_EQ(decision.blocked, (nights{"2027-01-15"_date, "2027-04-11"_date}));
  EXPECT_EQ(decision.provider_payment, 683'00_cents);
}

TEST(StayDecision, NamesTheNightsThatAreTakenInRangesThatDoNotTouch) {
  setup from;
  from.block_nights("2027-01-01"_date, "2027-01-16"_date);
  from.block_nights("2027-01-17"_date, "2027-01-18"_date);
  from.block_nights("2027-01-18"_date, "2027-01-18"_date);
  from.block_nights("2027-04-09"_date, no_end);
  from.block_nights("2027-04-10"_date, "2027-04-12"_date);
  const auto decision = from.decide();
  EXPECT_EQ(decision.refused(), refusal::overlapping_nights);
  EXPECT_THAT(decision.taken, ElementsAre(nights{"2027-01-15"_date, "2027-01-18"_date},
                                          nights{"2027-04-09"_date, "2027-04-09"_date}));
  ASSERT_TRUE(decision.terms) << "a quote shows the price also then";
}

TEST(StayDecision, SaysWhetherOnlyHoldsTakeNights) {
  setup from;
  from.block_nights("2027-01-10"_date, "2027-01-15"_date, block_source::hold);
  from.block_nights("2027-02-01"_date, "2027-02-02"_date, block_source::hold);
  auto decision = from.decide();
  EXPECT_EQ(decision.refused(), refusal::held_nights);
  EXPECT_THAT(decision.refusals, ElementsAre(refusal::held_nights));
  EXPECT_THAT(decision.taken, ElementsAre(nights{"2027-01-15"_date, "2027-01-15"_date},
                                          nights{"2027-02-01"_date, "2027-02-02"_date}));
  for (const auto source : {block_source::manual, block_source::channel, block_source::booking}) {
    auto other = from;
    other.block_nights("2027-04-09"_date, "2027-04-12"_date, source);
    EXPECT_THAT(other.decide().refusals, ElementsAre(refusal::overlapping_nights));
  }
  from.block_nights("2027-04-10"_date, "2027-04-12"_date);
  EXPECT_EQ(from.decide().refused(), refusal::held_nights) << "the block begins on the day of the check-out";
}

TEST(StayDecision, IgnoresTheHoldThatTheRequestHasClaimed) {
  setup from;
  from.block_nights("2027-01-10"_date, "2027-01-20"_date, block_source::hold);
  const auto claimed = from.blocks.front().id;
  const nights stay{from.stay.check_in, "2027-04-09"_date};
  const auto reason = [&](const std::optional<uuid>& hold) {
    return taken_by(domain::calendar{from.blocks}, stay, hold);
  };
  EXPECT_EQ(reason(claimed), std::nullopt);
  EXPECT_EQ(reason(std::nullopt), refusal::held_nights);
  from.block_nights("2027-02-01"_date, "2027-02-02"_date, block_source::hold);
  EXPECT_EQ(reason(claimed), refusal::held_nights) << "another hold";
  from.block_nights("2027-01-12"_date, "2027-01-16"_date, block_source::channel);
  EXPECT_EQ(reason(claimed), refusal::overlapping_nights) << "the held nights were sold elsewhere";
}

TEST(StayDecision, RequiresAPaymentOnlyFromPlatforms) {
  setup from;
  from.stay.provider_payment.reset();
  EXPECT_EQ(from.decide().refused(), refusal::provider_payment_missing);
  from.is_sold_on_platform = false;
  EXPECT_EQ(from.decide().refused(), std::nullopt);
  EXPECT_EQ(from.decide().provider_payment, 0_cents);
}

TEST(StayDecision, RefusesAWithheldUnitAndDatesOutOfOrder) {
  setup from;
  from.stay.check_out = from.stay.check_in;
  EXPECT_EQ(from.decide().refused(), refusal::check_out_not_after_check_in);
  from.is_withheld = true;
  EXPECT_EQ(from.decide().refused(), refusal::unit_not_linked);
}

TEST(StayDecision, NamesEveryReasonAndStillHasThePlan) {
  setup from;
  const auto plan = from.decide().terms->plan;
  ASSERT_EQ(plan.back().kind, payment_kind::provider_platform_payment);
  from.is_withheld = true;
  EXPECT_THAT(from.decide().refusals, ElementsAre(refusal::unit_not_linked));
  EXPECT_EQ(from.decide().terms->plan, plan) << "the platform's payment included";
  from.stay.provider_payment = 0_cents;
  from.block_nights("2027-02-01"_date, "2027-02-02"_date);
  EXPECT_THAT(from.decide().refusals, ElementsAre(refusal::unit_not_linked, refusal::provider_payment_missing,
                                                  refusal::overlapping_nights));
  EXPECT_EQ(from.decide().refused(), refusal::unit_not_linked);
  EXPECT_EQ(from.decide().terms->plan, (std::vector(plan.begin(), plan.end() - 1)));
  from.stay.check_out = from.stay.check_in;
  EXPECT_THAT(from.decide().refusals,
              ElementsAre(refusal::unit_not_linked, refusal::check_out_not_after_check_in));
}

TEST(StayDecision, IsAboutUnlinkedUnitsOnlyThroughWebhooksAndForTheirOwnLandlord) {
  const auto account = parse_uuid("c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e").value(),
             other = parse_uuid("01a1fb89-cc01-7000-af18-6ec80ff8e534").value();
  using enum platform_kind;
  for (const auto kind : {marketplace_a, marketplace_b, marketplace_c, marketplace_d, booking_engine,
                          channel_manager, room_sharing, student_housing, single_landlord}) {
    platform on;
    on.kind = kind;
    on.account = account;
    const bool has_webhook = kind == marketplace_a || kind == marketplace_b,
               is_single = kind == single_landlord;
    EXPECT_EQ(can_name_unit(on, account, false), has_webhook || is_single) << to_string(kind);
    EXPECT_EQ(can_name_unit(on, other, false), has_webhook) << to_string(kind);
    EXPECT_TRUE(can_name_unit(on, account, true)) << to_string(kind);
    EXPECT_EQ(can_name_unit(on, other, true), !is_single) << to_string(kind);
  }
}

TEST(StayDecision, UsesTheExactRentWithoutAPlatform) {
  setup from;
  from.stay = {"2027-02-01"_date, "2027-03-01"_date, 1, {}, "2026-11-20"_date};
  from.is_sold_on_platform = false;
  const auto decision = from.decide();
  const auto costs = costs_of(decision.terms->plan, from.unit, from.stay);
  EXPECT_THAT(costs.rent, ElementsAre(month_of_stay{"2027-02-01"_date, 28, 650'50_cents}));
  from.is_sold_on_platform = true;
  from.stay.provider_payment = 1'00_cents;
  const auto marked_up = from.decide();
  EXPECT_EQ(costs_of(marked_up.terms->plan, from.unit, from.stay).rent.front().amount, 684'00_cents);
}

TEST(StayDecision, NamesTheTierOfTheAdminFee) {
  setup from;
  from.unit.admin_fee = {true, fee_mode::tiered, {}, {{1, 50'00_cents}, {60, 90'00_cents}, {365, 0_cents}}};
  auto costs = costs_of(from.decide().terms->plan, from.unit, from.stay);
  EXPECT_EQ(costs.admin_fee, 90'00_cents);
  EXPECT_EQ(costs.admin_fee_from_days, 60);
  from.unit.admin_fee = {true, fee_mode::fixed, 70'00_cents, {}};
  costs = costs_of(from.decide().terms->plan, from.unit, from.stay);
  EXPECT_EQ(costs.admin_fee, 70'00_cents);
  EXPECT_EQ(costs.admin_fee_from_days, std::nullopt);
}

TEST(StayDecision, WarnsOfLimitsThatTheStayExceeds) {
  setup from;
  from.stay.occupants = 3;
  from.unit.min_stay_months = 6;
  EXPECT_THAT(from.decide().warnings,
              ElementsAre(stay_warning::above_capacity, stay_warning::shorter_than_minimum));
  from.unit.min_stay_months.reset();
  from.unit.max_stay_months = 1;
  EXPECT_THAT(from.decide().warnings,
              ElementsAre(stay_warning::above_capacity, stay_warning::longer_than_maximum));
}

TEST(StayDecision, CostsExactlyWhatThePlanSaysInAnySetup) {
  for_random_cases(500, [](auto& random) {
    setup from;
    from.is_sold_on_platform = int_between(random, 0, 1) == 1;
    from.unit.rent.amount = {int_between(random, 0, 200'000)};
    from.unit.extra_price_per_tenant = {int_between(random, 0, 10'000)};
    from.unit.deposit = {deposit_mode::rent_multiple, int_between(random, 0, 300)};
    from.unit.exit_fee = {int_between(random, 0, 10'000)};
    from.unit.admin_fee = {true, fee_mode::fixed, {int_between(random, 0, 10'000)}, {}};
    from.property.cleaning_fee = {true, {int_between(random, 0, 10'000)}, "monthly"};
    from.property.part_month = static_cast<part_month>(int_between(random, 0, 2));
    from.stay.occupants = int_between(random, 1, 3);
    from.stay.check_in = from.stay.check_in + days{int_between(random, 0, 400)};
    from.stay.check_out = from.stay.check_in + days{int_between(random, 1, 400)};
    const auto decision = from.decide();
    ASSERT_EQ(decision.refused(), std::nullopt);
    const auto costs = costs_of(decision.terms->plan, from.unit, from.stay);
    const auto rent = std::accumulate(costs.rent.begin(), costs.rent.end(), money{},
                                      [](money sum, const month_of_stay& each) { return sum + each.amount; });
    EXPECT_EQ(rent + costs.cleaning_fee + costs.admin_fee + costs.exit_fee + costs.deposit, costs.total);
    EXPECT_EQ(costs.total, total_owed(decision.terms->plan));
  });
}

} // namespace roost::domain::stay_decision_test
