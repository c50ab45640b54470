#include "domain/platform.hpp"
#include "listings/golden.hpp"
#include "listings/listing.hpp"

#include <gtest/gtest.h>

/// Full listings compared with tests/golden/full, which were written by hand.
namespace roost::listings::full_listing_test {

using domain::account, domain::block, domain::calendar, domain::date, domain::days, domain::deposit_mode,
    domain::fee_mode, domain::markup_mode, domain::nights, domain::no_end, domain::operator""_at,
    domain::operator""_cents, domain::operator""_date, domain::parse_uuid, domain::platform,
    domain::platform_kind, domain::property, domain::to_string, domain::unit, domain::unit_kind,
    domain::unit_presentation;

/// A unit of a flat in Madrid, which tests change before writing its listing.
struct full_house {
  domain::account account;
  domain::property property;
  unit terms;
  unit_presentation presentation;
  std::vector<block> blocks;
  domain::platform platform;
  std::string external_id;
  std::optional<std::string> link_url;

  explicit full_house(platform_kind kind) : platform{.name = std::string{to_string(kind)}, .kind = kind} {
    account.currency = "EUR";
    property.id = parse_uuid("33333333-0000-4000-8000-000000000001").value();
    property.address = {"Calle Mayor",         "12",  "3",  "28013", "Madrid",
                        "Comunidad de Madrid", "Sol", "ES", 40.4168, -3.7038};
    property.cleaning_fee = {true, 45'00_cents, "monthly"};
    property.monthly_bills = 80'00_cents;
    property.membership_fee = 25'50_cents;
    property.size_square_metres = 96;
    property.wifi_password = "never-shown";
    property.features = {"elevator", "wifi"};
    property.rules = {"no-smoking"};
    property.description = {{"en", "A long kitchen table."}, {"es", "Una mesa larga."}};
    property.images = {{"https://images.example/kitchen.jpg", false},
                       {"https://images.example/stock.jpg", true}};
    property.updated_at = "2026-10-02T09:00:00.000Z"_at;
    terms.property_id = property.id;
    terms.created_at = "2026-01-10T08:00:00.000Z"_at;
    terms.updated_at = "2026-10-01T12:30:45.678Z"_at;
  }

  std::string listing(date on = today) const {
    const calendar nights{blocks};
    json::writer json;
    write_full_listing(json,
                       {account, property, terms, presentation, nights, platform, external_id, link_url}, on);
    return std::string{json.text()};
  }

  void hold(date first, date last) { blocks.push_back({.nights = {first, last}}); }
};

/// A linked unit at a fixed rent, with every kind of block.
full_house room(platform_kind kind) {
  full_house house(kind);
  house.account.cards = {{.platform = house.platform.name,
                          .integration_email = "feeds@casaverde.example",
                          .markup = {markup_mode::percentage, 5'00}}};
  house.external_id = kind == platform_kind::marketplace_d ? "5120_r7" : "771";
  house.link_url = "https://marketplace-a.example/rooms/8812?staticId=771";
  auto& terms = house.terms;
  terms.id = parse_uuid("11111111-0000-4000-8000-000000000001").value();
  terms.kind = unit_kind::room;
  terms.room_label = "Room 1";
  terms.rent.amount = 650'00_cents;
  terms.min_stay_months = 1;
  terms.max_stay_months = 11;
  terms.extra_price_per_tenant = 50'00_cents; // not shown: the capacity is 1
  terms.admin_fee = {.enabled = true, .value = 149'50_cents};
  terms.deposit = {deposit_mode::rent_multiple, 1'00};
  terms.exit_fee = 99'00_cents;
  terms.local_rent_cap = 700'00_cents;
  house.presentation = {
      .size_square_metres = 12,
      .floor = "3B",
      .min_age = 18,
      .max_age = 40,
      .registration_number = "VT-1234",
      .energy_class = "B",
      .features = {"desk", "wifi"},
      .title = {{"en", "Room with a balcony"}},
      .description = {{"en", "Morning \"sun\"."}},
      .images = {{"https://images.example/stock-bed.jpg", true}, {"https://images.example/bed.jpg", false}}};
  house.hold("2026-01-01"_date, "2026-01-31"_date); // past
  house.hold("2026-11-01"_date, "2026-11-30"_date);
  house.hold("2027-03-01"_date, "2027-03-31"_date);
  house.hold("2028-01-01"_date, no_end);
  return house;
}

/// An unlinked unit with a variable rent, an unpriced month, and as little other data as possible.
full_house flat(platform_kind kind) {
  full_house house(kind);
  house.property.partner_currency = "GBP";
  house.account.cards = {
      {.platform = house.platform.name, .integration_email = {}, .markup = {markup_mode::fixed, 50'00}}};
  auto& terms = house.terms;
  terms.id = parse_uuid("11111111-0000-4000-8000-000000000002").value();
  house.external_id = to_string(terms.id);
  terms.kind = unit_kind::property;
  terms.capacity = 3;
  terms.rent.fixed = false;
  for (unsigned month = 1; month <= 11; ++month)
    terms.rent.per_month.push_back({month, month == 7 ? 1400'00_cents : 1000'00_cents, {}, {}});
  terms.extra_price_per_tenant = 60'00_cents;
  terms.bills = {true, 120'00_cents};
  terms.admin_fee = {true, fee_mode::tiered, {}, {{1, 99'50_cents}, {90, 200'00_cents}}};
  terms.deposit = {deposit_mode::fixed, 2000'00};
  terms.booking_windows = {{"2027-01-01"_date, "2027-02-01"_date, "2027-06-15"_date, "2027-07-31"_date}};
  return house;
}

/// A linked unit with all bills in the rent, an open booking window, and little data of its own.
full_house bed(platform_kind kind) {
  full_house house(kind);
  house.property.cleaning_fee.enabled = false;
  house.property.parking = 40'00_cents;
  house.account.cards = {{.platform = house.platform.name,
                          .integration_email = "beds@casaverde.example",
                          .markup = {markup_mode::fixed, 20'00}}};
  house.external_id = kind == platform_kind::marketplace_d ? "5120_b17" : "b17";
  auto& terms = house.terms;
  terms.id = parse_uuid("11111111-0000-4000-8000-000000000003").value();
  terms.kind = unit_kind::bed;
  terms.room_label = "Bed 2";
  terms.rent.amount = 399'50_cents;
  terms.max_stay_months = 6;
  terms.advance_notice_days = 10;
  terms.bills = {true, 60'00_cents};
  terms.deposit = {deposit_mode::fixed, 300'00};
  terms.booking_windows = {{"2026-12-01"_date, "2026-12-15"_date, "2027-02-01"_date, "2027-06-30"_date}};
  house.presentation = {.size_square_metres = 9, .max_age = 30, .features = {"bunk"}};
  house.hold("2026-11-12"_date, "2026-11-19"_date); // ended this morning
  house.hold(today, today);
  house.hold("2027-01-10"_date, "2027-01-20"_date);
  return house;
}

const std::vector<platform_kind> with_full_feed{platform_kind::marketplace_a, platform_kind::marketplace_b,
                                                platform_kind::marketplace_c, platform_kind::marketplace_d};

TEST(FullListingGoldens, MatchTheSpecificationOnEveryMarketplace) {
  for (const auto kind : with_full_feed) {
    const std::string name{to_string(kind)};
    expect_golden("full/" + name + ".room", room(kind).listing());
    expect_golden("full/" + name + ".flat", flat(kind).listing());
    expect_golden("full/" + name + ".bed", bed(kind).listing());
  }
}

TEST(FullListing, ExistsForMarketplacesAToDOnly) {
  for (const auto kind :
       {platform_kind::booking_engine, platform_kind::channel_manager, platform_kind::room_sharing,
        platform_kind::student_housing, platform_kind::single_landlord})
    EXPECT_EQ(traits_of(kind).full_feed, marketplace::none);
  for (const auto kind : with_full_feed) EXPECT_NE(traits_of(kind).full_feed, marketplace::none);
}

TEST(FullListing, NeverHasTheWifiPasswordAPlaceholderOrUnpublishedData) {
  for (const auto kind : with_full_feed) {
    const auto text = room(kind).listing();
    for (const char* secret :
         {"never-shown", "stock", "\"exit", "local_rent_cap", "localRentCap", "99", "700"})
      EXPECT_EQ(text.find(secret), std::string::npos) << to_string(kind) << ": " << secret;
  }
}

TEST(FullListing, SplitsTheStoredIdAtItsUnderscoreForMarketplaceD) {
  auto house = room(platform_kind::marketplace_d);
  house.external_id = "5133"; // a studio
  const auto studio = house.listing();
  EXPECT_EQ(studio.find(R"({"id":"5133",)"), 0U);
  EXPECT_NE(studio.find(R"("room":{"id":"11111111-0000-4000-8000-000000000001",)"), std::string::npos);
  house.external_id = "5133_a_b";
  const auto odd = house.listing();
  EXPECT_EQ(odd.find(R"({"id":"5133",)"), 0U);
  EXPECT_NE(odd.find(R"("room":{"id":"ab",)"), std::string::npos);
}

TEST(FullListing, IncludesOnlyPositiveCostsForMarketplaceB) {
  auto house = flat(platform_kind::marketplace_b);
  house.terms.deposit = {};
  house.terms.admin_fee.enabled = false;
  house.property.cleaning_fee.enabled = false;
  house.property.membership_fee = 0_cents;
  house.property.parking = 12'34_cents;
  EXPECT_NE(house.listing().find(R"("costs":{"parking":{"value":1234,"payableBy":"tenant",)"
                                 R"("payableAt":"monthly","required":false,"refundable":false,)"
                                 R"("isEstimated":false}},)"),
            std::string::npos);
  house.property.parking.reset();
  EXPECT_NE(house.listing().find(R"("costs":{},)"), std::string::npos);
}

TEST(FullListing, ShowsABlockThatEndsToday) {
  auto house = flat(platform_kind::marketplace_a);
  house.hold("2026-11-10"_date, today);
  EXPECT_NE(house.listing().find(R"("blocked_periods":[{"from":"2026-11-10","to":"2026-11-20"}])"),
            std::string::npos);
  EXPECT_NE(house.listing(today + days{1}).find(R"("blocked_periods":[])"), std::string::npos);
}

/// Returns until when a marketplace's full listing of a room blocks the nights after 2027-03-01 if its card
/// has this number of Calendar Block days; empty if it does not block them.
std::string block_after_march(platform_kind kind, int block_days) {
  auto house = bed(kind);
  house.blocks.clear();
  house.hold("2027-03-01"_date, "2027-03-31"_date); // 131 days away
  house.account.cards[0].calendar_block_days = block_days;
  const auto text = house.listing();
  const auto row = text.find(R"("2027-03-31",)");
  const auto at = text.find(R"(:"2027-03-31",")"), end = at == std::string::npos ? at : text.find('}', at);
  return row == std::string::npos || at == std::string::npos ? "" : text.substr(at, end - at);
}

TEST(FullListing, BlocksTheTwoYearsOfTheCalendarBlockOnEveryMarketplaceButB) {
  using enum platform_kind;
  EXPECT_EQ(block_after_march(marketplace_a, 130), R"(:"2027-03-31","to":"2029-03-31")");
  EXPECT_EQ(block_after_march(marketplace_c, 130), R"(:"2027-03-31","to":"2029-03-31")");
  EXPECT_EQ(block_after_march(marketplace_d, 130), R"(:"2027-03-31","end":"2029-03-31")");
  EXPECT_EQ(block_after_march(marketplace_b, 130), "");
  for (const auto kind : with_full_feed) EXPECT_EQ(block_after_march(kind, 131), "") << to_string(kind);
}

TEST(FullListing, HasNoCalendarBlockAfterABlockWithoutEnd) {
  for (const auto kind : with_full_feed) {
    auto house = room(kind);
    house.account.cards[0].calendar_block_days = 1;
    EXPECT_EQ(house.listing(), room(kind).listing()) << to_string(kind);
  }
}

TEST(FullListing, ShowsTheHighestTierOfATieredAdminFeeRoundedUp) {
  for (const auto kind : with_full_feed) {
    auto house = room(kind);
    const auto fixed = house.listing(); // 149.5
    house.terms.admin_fee = {true, fee_mode::tiered, {}, {{1, 149'01_cents}, {90, 20'00_cents}}};
    auto tiered = house.listing();
    for (const auto& [tier_text, fixed_text] : std::vector<std::pair<std::string, std::string>>{
             {R"("mode":"tiered","tiers":[{"from_days":1,"value":149.01},{"from_days":90,"value":20}])",
              R"("mode":"fixed","tiers":[])"},
             {R"("isEstimated":true},"cleaning)", R"("isEstimated":false},"cleaning)"}})
      if (const auto at = tiered.find(tier_text); at != std::string::npos)
        tiered.replace(at, tier_text.size(), fixed_text);
    EXPECT_EQ(tiered, fixed) << to_string(kind);
    house.terms.admin_fee.enabled = false;
    EXPECT_EQ(house.listing().find("150"), std::string::npos) << to_string(kind);
  }
}

TEST(FullListing, AddsTheMarkupToTheRentOnly) {
  for (const auto kind : with_full_feed) {
    auto marked_up = room(kind), plain_house = room(kind);
    plain_house.account.cards[0].markup = {};
    auto text = marked_up.listing();
    const bool cents = kind == platform_kind::marketplace_b;
    const std::string marked = cents ? "68300" : "683", plain = cents ? "65000" : "650";
    for (auto at = text.find(":" + marked + ","); at != std::string::npos; at = text.find(":" + marked + ","))
      text.replace(at + 1, marked.size(), plain);
    EXPECT_EQ(text, plain_house.listing()) << to_string(kind);
  }
}

} // namespace roost::listings::full_listing_test
