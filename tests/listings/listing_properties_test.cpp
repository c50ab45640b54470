#include "listings/house.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

/// Properties of every listing on every kind of platform, tested with random units.
namespace roost::listings::listing_properties_test {

using domain::add_months, domain::between, domain::block, domain::booking_window, domain::calendar,
    domain::date, domain::days, domain::deposit_mode, domain::fee_mode, domain::for_random_cases,
    domain::int_between, domain::markup_mode, domain::money, domain::no_end, domain::parse_date,
    domain::platform_kind, domain::stay_nights, domain::text_of, domain::unit;

using enum platform_kind;

constexpr int nights_tried = 700; // less than the two years for which a block without end is shown

/// The published rows as a partner interprets them: each night from today on, blocked or free.
class painted_calendar {
public:
  explicit painted_calendar(const rapidjson::Value& listing) : sold_(nights_tried, false) {
    for (const auto& row : listing["unavailabilities"].GetArray()) {
      const date first = *parse_date(row["from"].GetString()), last = *parse_date(row["to"].GetString());
      for (int i = 0; i < nights_tried; ++i)
        if (first <= today + days{i} && today + days{i} <= last) sold_[static_cast<std::size_t>(i)] = true;
    }
  }

  bool is_sold(int night) const { return sold_[static_cast<std::size_t>(night)]; }

private:
  std::vector<bool> sold_;
};

platform_kind any_kind(std::mt19937& random) {
  return static_cast<platform_kind>(int_between(random, 0, static_cast<int>(single_landlord)));
}

booking_window any_window(std::mt19937& random) {
  booking_window window;
  window.min_start = today + days{int_between(random, -200, 300)};
  window.max_start = window.min_start + days{int_between(random, 0, 120)};
  window.min_end = window.min_start + days{int_between(random, 1, 200)};
  window.max_end = std::max(window.min_end, window.max_start + days{1}) + days{int_between(random, 0, 90)};
  return window;
}

money any_amount(std::mt19937& random) { return {between(random, 0, 2'000'00)}; }

void price(house& home, std::mt19937& random) {
  auto& terms = home.terms;
  terms.capacity = int_between(random, 1, 4);
  terms.rent.fixed = int_between(random, 0, 1) == 0;
  terms.rent.amount = {between(random, 1'00, 2'000'00)};
  for (unsigned month = 1; month <= 12 && !terms.rent.fixed; ++month)
    terms.rent.per_month.push_back(
        {month, {between(random, 1'00, 2'000'00)}, terms.created_at, terms.updated_at});
  terms.extra_price_per_tenant = any_amount(random);
  terms.bills = {.included = int_between(random, 0, 1) == 0, .max_value = any_amount(random)};
  terms.admin_fee = {.enabled = int_between(random, 0, 1) == 0,
                     .mode = int_between(random, 0, 1) == 0 ? fee_mode::fixed : fee_mode::tiered,
                     .value = any_amount(random),
                     .tiers = {{1, any_amount(random)}, {60, any_amount(random)}}};
  terms.deposit = {int_between(random, 0, 1) == 0 ? deposit_mode::fixed : deposit_mode::rent_multiple,
                   between(random, 0, 3'00)};
  home.property.cleaning_fee = {.enabled = int_between(random, 0, 1) == 0, .value = any_amount(random)};
  home.property.monthly_bills = any_amount(random);
  home.property.membership_fee = any_amount(random);
  home.property.parking = any_amount(random);
}

/// A unit with up to six blocks, up to two windows and a card, on a random kind of platform.
house any_house(std::mt19937& random) {
  house home;
  home.link_to(any_kind(random));
  price(home, random);
  for (auto left = between(random, 0, 6); left > 0; --left) {
    const date first = today + days{int_between(random, -60, 400)};
    home.hold(first, int_between(random, 0, 14) == 0 ? no_end : first + days{int_between(random, 0, 60)});
  }
  for (auto left = between(random, 0, 2); left > 0; --left)
    home.terms.booking_windows.push_back(any_window(random));
  if (int_between(random, 0, 2) > 0) home.terms.min_stay_months = int_between(random, 0, 3);
  home.account.advance_notice_days = int_between(random, 0, 1) == 0 ? 0 : int_between(random, 1, 20);
  if (int_between(random, 0, 3) > 0) {
    auto& card = home.card();
    if (int_between(random, 0, 1) == 0) card.calendar_block_days = int_between(random, 0, 200);
    card.markup = {static_cast<markup_mode>(int_between(random, 0, 2)), between(random, 0, 100'00)};
  }
  return home;
}

rapidjson::Document parsed(const std::string& listing) {
  rapidjson::Document document;
  document.Parse(listing.c_str());
  return document;
}

TEST(ListingProperty, NoFeedShowsABlockedNightAsFree) {
  for_random_cases(2'000, [](std::mt19937& random) {
    const auto unit = any_house(random);
    for (const auto past : {past_blocks::left_out, past_blocks::shown}) {
      const auto listing = parsed(unit.listing(past));
      const painted_calendar painted{listing};
      for (const auto& block : unit.blocks)
        for (int i = 0; i < nights_tried; ++i)
          if (block.nights.first <= today + days{i} && today + days{i} <= block.nights.last) {
            ASSERT_TRUE(painted.is_sold(i)) << unit.platform.name << ' ' << text_of(today + days{i});
          }
    }
  });
}

/// Returns whether a generated row must block a night without a stored block.
bool is_held_back(const house& house, date night, const rapidjson::Value& listing) {
  if (house.platform.kind == room_sharing && !listing["availableFrom"].IsNull() &&
      night < *parse_date(listing["availableFrom"].GetString()))
    return true;
  if (house.platform.kind == marketplace_b) {
    std::optional<booking_window> open;
    for (const auto& window : house.terms.booking_windows)
      if (window.max_start >= today && (!open || window.min_start < open->min_start)) open = window;
    if (open && (night < open->min_start || night >= open->max_end)) return true;
  }
  if (house.account.cards.empty() || !house.account.cards[0].calendar_block_days || house.blocks.empty())
    return false;
  date latest = house.blocks[0].nights.last;
  for (const auto& block : house.blocks) latest = std::max(latest, block.nights.last);
  return (latest - today).count() > *house.account.cards[0].calendar_block_days && night >= latest;
}

TEST(ListingProperty, EveryFreeNightIsSoldUnlessAPlatformRuleBlocksIt) {
  for_random_cases(2'000, [](std::mt19937& random) {
    const auto unit = any_house(random);
    const auto listing = parsed(unit.listing());
    const painted_calendar painted{listing};
    const calendar truth{unit.blocks};
    for (int i = 0; i < nights_tried; ++i) {
      const date night = today + days{i};
      const bool sold = !truth.is_free({night, night}) || is_held_back(unit, night, listing);
      ASSERT_EQ(painted.is_sold(i), sold) << unit.platform.name << ' ' << text_of(night);
    }
  });
}

TEST(ListingProperty, AvailableFromIsTheFirstDayOnWhichThePublishedMinimumFits) {
  for_random_cases(2'000, [](std::mt19937& random) {
    const auto unit = any_house(random);
    const auto listing = parsed(unit.listing());
    const int months = listing["minStayPeriod"].IsNull() ? 0 : listing["minStayPeriod"].GetInt();
    const calendar truth{unit.blocks};
    std::optional<date> first;
    for (date day = today + days{unit.account.advance_notice_days}; !first && day < today + days{900};
         day += days{1})
      if (truth.is_free(stay_nights(day, months > 0 ? add_months(day, months) : day + days{1}))) first = day;
    const auto& available_from = listing["availableFrom"];
    EXPECT_EQ(available_from.IsNull() ? "none" : std::string{available_from.GetString()}, text_of(first))
        << unit.platform.name;
  });
}

TEST(ListingProperty, MarkupChangesRentsOnly) {
  for_random_cases(2'000, [](std::mt19937& random) {
    auto unit = any_house(random);
    if (unit.account.cards.empty()) unit.card();
    unit.account.cards[0].markup = {markup_mode::none, 0};
    auto plain = parsed(unit.listing());
    unit.account.cards[0].markup = {int_between(random, 0, 1) == 0 ? markup_mode::percentage
                                                                   : markup_mode::fixed,
                                    between(random, 100'00, 200'00)};
    auto dear = parsed(unit.listing());
    EXPECT_GT(dear["rent"].GetInt64(), plain["rent"].GetInt64());
    for (auto* listing : {&plain, &dear}) {
      for (auto& priced : (*listing)["rentsPerMonth"].GetArray()) priced.RemoveMember("rent");
      listing->RemoveMember("rent");
    }
    EXPECT_EQ(plain, dear) << unit.platform.name;
  });
}

TEST(ListingProperty, TheListIsTheSingleReadWithoutPastRows) {
  for_random_cases(2'000, [](std::mt19937& random) {
    const auto unit = any_house(random);
    const auto list = parsed(unit.listing(past_blocks::left_out));
    auto single = parsed(unit.listing(past_blocks::shown));
    auto& rows = single["unavailabilities"];
    for (auto row = rows.Begin(); row != rows.End();)
      row = *parse_date((*row)["to"].GetString()) < today ? rows.Erase(row) : row + 1;
    EXPECT_EQ(list, single) << unit.platform.name;
  });
}

} // namespace roost::listings::listing_properties_test
