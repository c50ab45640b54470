#include "domain/unit.hpp"
#include "support/random_cases.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

namespace roost::domain::pricing_test {
platform_card card_with(markup_mode mode, std::int64_t value) {
  platform_card card;
  card.markup = {mode, value};
  return card;
}

struct markup_case {
  markup_mode mode;
  std::int64_t value;
  std::int64_t rent, published; ///< cents
};

void expect_prices(const std::vector<markup_case>& cases) {
  for (const auto& [mode, value, rent, published] : cases) {
    const auto card = card_with(mode, value);
    EXPECT_EQ(with_markup(money{rent}, &card), money{published}) << "rent " << rent << ", markup " << value;
  }
}

TEST(WithMarkup, AddsAPercentageThenRoundsUp) {
  expect_prices({{markup_mode::percentage, 5'00, 650'00, 683'00},
                 {markup_mode::percentage, 12'34, 1'000'00, 1'124'00},
                 {markup_mode::percentage, 1, 650'00, 651'00},
                 {markup_mode::percentage, 0, 333'33, 334'00},
                 {markup_mode::percentage, 5'00, 1, 1'00},
                 {markup_mode::percentage, 5'00, 0, 0},
                 {markup_mode::percentage, 5'00, 99'999'999'99, 105'000'000'00}});
}

TEST(WithMarkup, KeepsWholeResultsOfAPercentage) {
  expect_prices({{markup_mode::percentage, 5'00, 600'00, 630'00},
                 {markup_mode::percentage, 10'00, 100'00, 110'00},
                 {markup_mode::percentage, 10'00, 1'100'00, 1'210'00},
                 {markup_mode::percentage, 12'50, 1'000'00, 1'125'00},
                 {markup_mode::percentage, 1'00, 700'00, 707'00},
                 {markup_mode::percentage, 15'00, 100'00, 115'00},
                 {markup_mode::percentage, 100'00, 450'50, 901'00},
                 {markup_mode::percentage, 25'00, 400'80, 501'00}});
}

TEST(WithMarkup, AddsAFixedAmountThenRoundsUp) {
  expect_prices({{markup_mode::fixed, 49'50, 650'00, 700'00},
                 {markup_mode::fixed, 49'50, 650'50, 700'00},
                 {markup_mode::fixed, 49'50, 650'51, 701'00},
                 {markup_mode::fixed, 0, 650'00, 650'00}});
}

TEST(WithMarkup, RoundsUpWithoutMarkupToo) {
  expect_prices({{markup_mode::none, 0, 650'00, 650'00}, {markup_mode::none, 0, 650'01, 651'00}});
  EXPECT_EQ(with_markup(650'01_cents, nullptr), 651'00_cents);
  EXPECT_EQ(with_markup(650'00_cents, nullptr), 650'00_cents);
}

platform_card random_card(std::mt19937& random) {
  switch (between(random, 0, 2)) {
  case 0:
    return card_with(markup_mode::none, 0);
  case 1:
    return card_with(markup_mode::percentage, between(random, 0, 200'00));
  default:
    return card_with(markup_mode::fixed, between(random, 0, 500'00));
  }
}

TEST(WithMarkup, IsWholeMonotoneAndAtLeastTheRent) {
  for_random_cases(5'000, [](std::mt19937& random) {
    const auto card = random_card(random);
    const money rent{between(random, 0, 3'000'00)}, higher = rent + money{between(random, 0, 5'00)};
    const auto published = with_markup(rent, &card);
    EXPECT_EQ(published.cents % 100, 0);
    EXPECT_GE(published, rent);
    EXPECT_LE(published, with_markup(higher, &card)) << rent.cents << ' ' << higher.cents;
  });
}

TEST(WithMarkup, IsTheMinimumWholeNumberThatCoversThePercentage) {
  for_random_cases(5'000, [](std::mt19937& random) {
    const auto part = between(random, 0, 200'00), rent = between(random, 1, 3'000'00);
    const auto card = card_with(markup_mode::percentage, part);
    const auto published = with_markup(money{rent}, &card).cents;
    EXPECT_GE(published * 10'000, rent * (10'000 + part)) << rent << ' ' << part;
    EXPECT_LT((published - 100) * 10'000, rent * (10'000 + part)) << rent << ' ' << part;
  });
}

unit priced_in(const std::vector<std::pair<unsigned, money>>& months) {
  unit result;
  result.rent.fixed = false;
  for (const auto& [month, rent] : months) result.rent.per_month.push_back({.month = month, .rent = rent});
  return result;
}

unit priced_at(money rent) {
  unit result;
  result.rent.amount = rent;
  return result;
}

TEST(RentInMonthOf, IsTheSameInEveryMonthWhenFixed) {
  const auto flat = priced_at(650'50_cents);
  EXPECT_EQ(rent_in_month_of(flat, "2027-01-01"_date), 650'50_cents);
  EXPECT_EQ(rent_in_month_of(flat, "2027-12-31"_date), 650'50_cents);
}

TEST(RentInMonthOf, IsTheMonthsRentIfItVaries) {
  const auto room = priced_in({{1, 500'00_cents}, {6, 900'00_cents}, {12, 450'00_cents}});
  EXPECT_EQ(rent_in_month_of(room, "2027-01-31"_date), 500'00_cents);
  EXPECT_EQ(rent_in_month_of(room, "2027-06-01"_date), 900'00_cents);
  EXPECT_EQ(rent_in_month_of(room, "2028-12-15"_date), 450'00_cents);
}

TEST(RentInMonthOf, IsTheHighestIfAMonthIsUnpriced) {
  const auto room = priced_in({{1, 500'00_cents}, {6, 900'00_cents}});
  EXPECT_EQ(rent_in_month_of(room, "2027-03-10"_date), 900'00_cents);
}

TEST(ExtraPricePerTenant, IsZeroIfTheCapacityIsOne) {
  auto room = priced_at(650'00_cents);
  room.extra_price_per_tenant = 40'50_cents;
  room.capacity = 1;
  EXPECT_EQ(extra_price_per_tenant(room), 0_cents);
  room.capacity = 2;
  EXPECT_EQ(extra_price_per_tenant(room), 40'50_cents);
}

TEST(ProviderPayment, IsTheFirstMonthsRentWithMarkupAndTheExtraOccupantsWhenItIsLeftOut) {
  auto room = priced_in({{3, 650'00_cents}, {4, 900'00_cents}});
  room.capacity = 3;
  room.extra_price_per_tenant = 40'25_cents;
  const auto card = card_with(markup_mode::percentage, 5'00);
  const auto derived = [&](int occupants) {
    return provider_payment_of(room, platform_kind::marketplace_d, &card, "2027-03-15"_date, occupants, {});
  };
  EXPECT_EQ(derived(0), 683'00_cents);
  EXPECT_EQ(derived(1), 683'00_cents);
  EXPECT_EQ(derived(2), 723'25_cents);
  EXPECT_EQ(derived(3), 763'50_cents);
}

TEST(ProviderPayment, HasNoMarkupWithoutACard) {
  EXPECT_EQ(provider_payment_of(priced_at(650'00_cents), platform_kind::booking_engine, nullptr,
                                "2027-03-15"_date, 1, {}),
            650'00_cents);
}

TEST(ProviderPayment, StaysBelowTheAmountLimitForAnyNumberOfOccupants) {
  auto room = priced_at(650'00_cents);
  room.capacity = 3;
  room.extra_price_per_tenant = 99'999'999'99_cents;
  EXPECT_EQ(provider_payment_of(room, platform_kind::booking_engine, nullptr, "2027-03-15"_date,
                                std::numeric_limits<int>::max(), {}),
            amount_limit - 1_cents);
}

TEST(ProviderPayment, IsDerivedForMarketplaceDAndTheEngineOnly) {
  using enum platform_kind;
  for (const auto kind : {marketplace_a, marketplace_b, marketplace_c, channel_manager, room_sharing,
                          student_housing, single_landlord})
    EXPECT_FALSE(provider_payment_of(priced_at(650'00_cents), kind, nullptr, "2027-03-15"_date, 1, {}))
        << to_string(kind);
}

TEST(ProviderPayment, IsTheAmountThatThePlatformSends) {
  using enum platform_kind;
  for (const auto kind : {marketplace_a, marketplace_d, booking_engine, single_landlord})
    EXPECT_EQ(provider_payment_of(priced_at(650'00_cents), kind, nullptr, "2027-03-15"_date, 1, 12'34_cents),
              12'34_cents)
        << to_string(kind);
}

TEST(ProviderPayment, AddsExtraOccupantsToExactlyTheRentOnMarketplaceD) {
  auto room = priced_at(650'00_cents);
  room.capacity = 3;
  room.extra_price_per_tenant = 40'00_cents;
  const auto card = card_with(markup_mode::percentage, 5'00);
  const auto sent = [&](platform_kind kind, int occupants, money amount) {
    return provider_payment_of(room, kind, &card, "2027-03-15"_date, occupants, amount);
  };
  using enum platform_kind;
  EXPECT_EQ(sent(marketplace_d, 3, 683'00_cents), 763'00_cents);
  EXPECT_EQ(sent(marketplace_d, 1, 683'00_cents), 683'00_cents);
  EXPECT_EQ(sent(marketplace_d, 3, 683'01_cents), 683'01_cents);
  EXPECT_EQ(sent(marketplace_d, 3, 650'00_cents), 650'00_cents); // without the markup it is no rent of D
  EXPECT_EQ(sent(booking_engine, 3, 683'00_cents), 683'00_cents);
}

TEST(ProviderPayment, AddsExtraOccupantsToThePublishedRentOfAnotherMonthOnMarketplaceD) {
  unit room;
  room.capacity = 3;
  room.extra_price_per_tenant = 40'00_cents;
  room.rent.fixed = false;
  room.rent.per_month = {{3, 600'00_cents, {}, {}}, {7, 800'00_cents, {}, {}}, {9, 700'00_cents, {}, {}}};
  const auto card = card_with(markup_mode::fixed, 50'00);
  const auto sent = [&](platform_kind kind, money amount) {
    return provider_payment_of(room, kind, &card, "2027-03-15"_date, 2, amount);
  };
  using enum platform_kind;
  EXPECT_EQ(sent(marketplace_d, 650'00_cents), 690'00_cents); // March's
  EXPECT_EQ(sent(marketplace_d, 850'00_cents), 890'00_cents); // July's, which the full feed publishes
  EXPECT_EQ(sent(marketplace_d, 750'00_cents), 750'00_cents); // September's is neither
  EXPECT_EQ(sent(booking_engine, 850'00_cents), 850'00_cents);
}

} // namespace roost::domain::pricing_test
