#include "listings/house.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <string>
#include <vector>

namespace roost::listings::listing_test {

using domain::add_months, domain::between, domain::calendar, domain::date, domain::days, domain::deposit_mode,
    domain::fee_mode, domain::for_random_cases, domain::int_between, domain::markup_mode, domain::nights,
    domain::no_end, domain::operator""_at, domain::operator""_cents, domain::operator""_date,
    domain::parse_date, domain::platform_kind, domain::stay_nights, domain::text_of, domain::to_string,
    domain::unit_kind;

TEST(Listing, HasEveryFieldOfTheSpecificationForARoomWithFixedRent) {
  house room;
  room.terms.kind = unit_kind::room;
  room.terms.min_stay_months = 2;
  room.terms.max_stay_months = 12;
  room.terms.bills = {.included = true, .max_value = 60'50_cents};
  room.terms.admin_fee = {.enabled = true, .mode = fee_mode::fixed, .value = 149'50_cents};
  room.terms.deposit = {deposit_mode::rent_multiple, 1'50};
  room.terms.exit_fee = 80'00_cents;
  room.terms.local_rent_cap = 700'00_cents;
  room.terms.extra_deposit_per_tenant = 100'00_cents;
  room.terms.booking_windows = {{"2027-01-01"_date, "2027-02-01"_date, "2027-06-01"_date, "2027-07-31"_date}};
  room.property.cleaning_fee = {.enabled = true, .value = 25'75_cents};
  room.hold("2026-11-10"_date, "2026-12-04"_date);
  room.hold("2027-03-01"_date, "2027-03-31"_date);
  auto& card = room.card();
  card.integration_email = "feeds@casaverde.example";
  card.markup = {markup_mode::percentage, 5'00};
  EXPECT_EQ(room.listing(), compact(R"({
    "externalId": "771",
    "availableFrom": "2026-12-05",
    "minStayPeriod": 2,
    "maxStayPeriod": 12,
    "isRentFixed": true,
    "rent": 683,
    "rentsPerMonth": [],
    "capacity": 1,
    "extraPricePerTenant": 0,
    "cleaningFeeValue": 25.75,
    "billsIncluded": true,
    "billsIncludedMaxValue": 60.5,
    "adminFeeValue": 150,
    "adminFeeMode": "fixed",
    "adminFeeTiers": [],
    "depositValue": 975,
    "landlordEmail": "feeds@casaverde.example",
    "unavailabilities": [
      {"from": "2026-11-10", "to": "2026-12-04", "reason": "Unavailable",
       "createdAt": "2026-09-01T10:00:00.000Z", "updatedAt": "2026-09-02T11:00:00.000Z"},
      {"from": "2027-03-01", "to": "2027-03-31", "reason": "Unavailable",
       "createdAt": "2026-09-01T10:00:00.000Z", "updatedAt": "2026-09-02T11:00:00.000Z"}],
    "bookingWindows": [
      {"minStartDate": "2027-01-01", "maxStartDate": "2027-02-01",
       "minEndDate": "2027-06-01", "maxEndDate": "2027-07-31"}],
    "createdAt": "2026-01-10T08:00:00.000Z",
    "updatedAt": "2026-10-01T12:30:45.678Z"})"));
}

TEST(Listing, ShowsEveryMonthForAWholePropertyWhoseRentVaries) {
  house flat;
  flat.link_to(platform_kind::booking_engine);
  flat.external_id = "P1";
  flat.terms.kind = unit_kind::property;
  flat.terms.capacity = 4;
  flat.terms.extra_price_per_tenant = 40'50_cents;
  flat.terms.rent = {.fixed = false, .amount = 0_cents};
  flat.terms.rent.per_month = {
      {1, 900'00_cents, "2026-01-10T08:00:00.000Z"_at, "2026-01-10T08:00:00.000Z"_at},
      {8, 1'250'50_cents, "2026-01-10T08:00:00.000Z"_at, "2026-05-02T09:15:00.250Z"_at}};
  flat.terms.deposit = {deposit_mode::rent_multiple, 2'00};
  flat.terms.admin_fee = {.enabled = true,
                          .mode = fee_mode::tiered,
                          .tiers = {{1, 99'50_cents}, {30, 150'00_cents}, {180, 0_cents}}};
  flat.card().markup = {markup_mode::fixed, 49'50};
  EXPECT_EQ(flat.listing(), compact(R"({
    "externalId": "P1",
    "availableFrom": "2026-11-20",
    "minStayPeriod": null,
    "maxStayPeriod": null,
    "isRentFixed": false,
    "rent": 1300,
    "rentsPerMonth": [
      {"month": 1, "rent": 950,
       "createdAt": "2026-01-10T08:00:00.000Z", "updatedAt": "2026-01-10T08:00:00.000Z"},
      {"month": 8, "rent": 1300,
       "createdAt": "2026-01-10T08:00:00.000Z", "updatedAt": "2026-05-02T09:15:00.250Z"}],
    "capacity": 4,
    "extraPricePerTenant": 40.5,
    "cleaningFeeValue": 0,
    "billsIncluded": false,
    "billsIncludedMaxValue": null,
    "adminFeeValue": 0,
    "adminFeeMode": "tiered",
    "adminFeeTiers": [{"fromDays": 1, "value": 99.5}, {"fromDays": 30, "value": 150},
                      {"fromDays": 180, "value": 0}],
    "depositValue": 2501,
    "landlordEmail": null,
    "unavailabilities": [],
    "bookingWindows": [],
    "createdAt": "2026-01-10T08:00:00.000Z",
    "updatedAt": "2026-10-01T12:30:45.678Z"})"));
}

TEST(Listing, NamesTheUnitForABedOnASingleLandlordFeed) {
  house bed;
  bed.link_to(platform_kind::single_landlord);
  bed.external_id = "c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e";
  bed.terms.kind = unit_kind::bed;
  bed.terms.internal_name = "CM12 Room 1 \"bed\" A";
  bed.terms.rent.amount = 320'10_cents;
  bed.terms.min_stay_months = 0;
  bed.terms.deposit = {deposit_mode::fixed, 200'00};
  EXPECT_EQ(bed.listing(),
            R"({"externalId":"c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e",)"
            R"("listingInternalName":"CM12 Room 1 \"bed\" A","availableFrom":"2026-11-20",)"
            R"("minStayPeriod":0,"maxStayPeriod":null,"isRentFixed":true,"rent":321,"rentsPerMonth":[],)"
            R"("capacity":1,"extraPricePerTenant":0,"cleaningFeeValue":0,"billsIncluded":false,)"
            R"("billsIncludedMaxValue":null,"adminFeeValue":0,"adminFeeMode":"fixed","adminFeeTiers":[],)"
            R"("depositValue":200,"landlordEmail":null,"unavailabilities":[],"bookingWindows":[],)"
            R"("createdAt":"2026-01-10T08:00:00.000Z","updatedAt":"2026-10-01T12:30:45.678Z"})");
}

TEST(Listing, NamesTheUnitOnSingleLandlordFeedsOnly) {
  using enum platform_kind;
  for (const auto kind : {marketplace_a, marketplace_b, marketplace_c, marketplace_d, booking_engine,
                          channel_manager, room_sharing, student_housing}) {
    house room;
    room.link_to(kind);
    room.terms.internal_name = "Not for partners";
    EXPECT_EQ(room.listing().find("Not for partners"), std::string::npos) << to_string(kind);
  }
}

TEST(Listing, TakesMarkupAndEmailFromItsOwnPlatformsCard) {
  house room;
  room.account.cards = {{.platform = "marketplace-b",
                         .integration_email = "b@casaverde.example",
                         .markup = {markup_mode::fixed, 100'00}},
                        {.platform = "marketplace-a", .markup = {markup_mode::fixed, 1'00}}};
  EXPECT_EQ(room.field("rent"), "651");
  EXPECT_EQ(room.field("landlordEmail"), "null");
}

TEST(Listing, AddsNoMarkupToFeesDepositAndExtraOccupants) {
  house plain;
  plain.terms.capacity = 3;
  plain.terms.extra_price_per_tenant = 40'50_cents;
  plain.terms.deposit = {deposit_mode::rent_multiple, 1'00};
  plain.terms.admin_fee = {.enabled = true, .mode = fee_mode::fixed, .value = 100'00_cents};
  plain.property.cleaning_fee = {.enabled = true, .value = 30'00_cents};
  auto marked_up = plain;
  marked_up.card().markup = {markup_mode::percentage, 50'00};
  EXPECT_EQ(marked_up.field("rent"), "975");
  for (const auto* fee : {"depositValue", "adminFeeValue", "cleaningFeeValue", "extraPricePerTenant"})
    EXPECT_EQ(marked_up.field(fee), plain.field(fee)) << fee;
}

TEST(Listing, HidesFeesThatAreOff) {
  house room;
  room.property.cleaning_fee = {.enabled = false, .value = 30'00_cents};
  room.terms.admin_fee = {
      .enabled = false, .mode = fee_mode::tiered, .value = 100'00_cents, .tiers = {{1, 99'50_cents}}};
  EXPECT_EQ(room.field("cleaningFeeValue"), "0");
  EXPECT_EQ(room.field("adminFeeValue"), "0");
  EXPECT_EQ(room.field("adminFeeMode"), R"("fixed")");
  EXPECT_EQ(room.field("adminFeeTiers"), "[]");
}

TEST(Listing, PublishesTheCapOfIncludedBillsOnly) {
  house room;
  room.terms.bills = {.included = false, .max_value = 50'00_cents};
  EXPECT_EQ(room.field("billsIncludedMaxValue"), "null");
  room.terms.bills = {.included = true, .max_value = 0_cents};
  EXPECT_EQ(room.field("billsIncludedMaxValue"), "0");
  room.terms.bills = {.included = true, .max_value = std::nullopt};
  EXPECT_EQ(room.field("billsIncludedMaxValue"), "null");
}

TEST(Listing, HidesTheMonthsOfAnUnusedSchedule) {
  house room;
  room.terms.rent.per_month = {{1, 900'00_cents, {}, {}}};
  EXPECT_EQ(room.field("rentsPerMonth"), "[]");
  EXPECT_EQ(room.field("rent"), "650");
}

TEST(Listing, IsAvailableOnlyAfterTheAdvanceNotice) {
  house room;
  room.account.advance_notice_days = 10;
  EXPECT_EQ(room.field("availableFrom"), R"("2026-11-30")");
  room.terms.advance_notice_days = 0; // overrides the account's
  EXPECT_EQ(room.field("availableFrom"), R"("2026-11-20")");
  room.terms.advance_notice_days = 3;
  room.hold("2026-11-22"_date, "2026-11-23"_date);
  EXPECT_EQ(room.field("availableFrom"), R"("2026-11-24")");
}

TEST(Listing, IsNeverAvailableAfterABlockWithoutEnd) {
  house room;
  room.hold("2026-11-01"_date, no_end);
  EXPECT_EQ(room.field("availableFrom"), "null");
}

TEST(Listing, OmitsPastBlocksFromTheListButNotFromTheSingleRead) {
  house room;
  room.hold("2026-11-01"_date, "2026-11-19"_date);
  room.hold("2026-10-01"_date, "2026-11-20"_date);
  const auto list = room.listing(past_blocks::left_out), single = room.listing(past_blocks::shown);
  EXPECT_EQ(list.find(R"("to":"2026-11-19")"), std::string::npos);
  EXPECT_NE(list.find(R"("to":"2026-11-20")"), std::string::npos);
  EXPECT_NE(single.find(R"("to":"2026-11-19")"), std::string::npos);
  EXPECT_NE(single.find(R"("to":"2026-11-20")"), std::string::npos);
}

std::string end_shown_of_open_block(date first, date on) {
  house room;
  room.hold(first, no_end);
  rapidjson::Document parsed;
  parsed.Parse(room.listing(past_blocks::left_out, on).c_str());
  return parsed["unavailabilities"][0]["to"].GetString();
}

TEST(Listing, ShowsABlockWithoutEndForTwoYears) {
  EXPECT_EQ(end_shown_of_open_block("2027-05-01"_date, today), "2029-05-01");
  EXPECT_EQ(end_shown_of_open_block("2020-05-01"_date, today), "2028-11-20");
  EXPECT_EQ(end_shown_of_open_block("2028-02-29"_date, today), "2030-02-28");
}

TEST(Listing, NeverShowsAYearOfFiveDigits) {
  EXPECT_EQ(end_shown_of_open_block("9998-06-01"_date, today), "9999-12-31");
}

/// Returns whether the listing lets a partner sell a stay, by rule 6 of the listing object.
bool sold_by_partner(const rapidjson::Value& rows, const nights& stay) {
  for (const auto& row : rows.GetArray()) {
    const nights held{*parse_date(row["from"].GetString()), *parse_date(row["to"].GetString())};
    if (overlap(held, stay)) return false;
  }
  return true;
}

TEST(Listing, LetsAPartnerSellExactlyTheFreeNights) {
  for_random_cases(1'000, [](std::mt19937& random) {
    house room;
    for (auto left = between(random, 0, 6); left > 0; --left) {
      const date first = today + days{int_between(random, -60, 200)};
      room.hold(first, first + days{int_between(random, 0, 40)});
    }
    room.terms.min_stay_months = int_between(random, 0, 2);
    rapidjson::Document parsed;
    parsed.Parse(room.listing().c_str());
    const calendar truth{room.blocks};
    for (int tries = 0; tries < 20; ++tries) {
      const date check_in = today + days{int_between(random, 0, 250)};
      const auto stay = stay_nights(check_in, check_in + days{int_between(random, 1, 60)});
      EXPECT_EQ(sold_by_partner(parsed["unavailabilities"], stay), truth.is_free(stay)) << text_of(stay);
    }
    const date from = *parse_date(parsed["availableFrom"].GetString());
    const date until = std::max(add_months(from, *room.terms.min_stay_months), from + days{1});
    EXPECT_GE(from, today);
    EXPECT_TRUE(sold_by_partner(parsed["unavailabilities"], stay_nights(from, until))) << text_of(from);
  });
}

} // namespace roost::listings::listing_test
