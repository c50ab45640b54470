#include "listings/golden.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

/// Three kinds of unit on every kind of platform, compared with listings in tests/golden/partial that were
/// written by hand.
namespace roost::listings::partial_goldens_test {

using domain::account, domain::deposit_mode, domain::fee_mode, domain::markup, domain::markup_mode,
    domain::no_end, domain::operator""_at, domain::operator""_cents, domain::operator""_date,
    domain::platform, domain::platform_kind, domain::property_terms, domain::timestamp, domain::to_string,
    domain::unit, domain::unit_kind;

namespace fs = std::filesystem;
using enum platform_kind;

const fs::path goldens = fs::path{ROOST_SOURCE_DIR} / "tests/golden/partial";
const timestamp golden_time = "2026-11-20T09:30:00.000Z"_at;

const std::vector<platform_kind> every_kind{marketplace_a, marketplace_b,   marketplace_c,
                                            marketplace_d, booking_engine,  channel_manager,
                                            room_sharing,  student_housing, single_landlord};

/// The landlord's cards: every mode of markup, and Calendar Blocks shorter and longer than the distance of
/// the units' blocks.
domain::account casa_verde() {
  domain::account account;
  account.advance_notice_days = 2;
  const auto add = [&](const char* platform, std::optional<std::string> email, markup applied,
                       std::optional<int> block_days) {
    account.cards.push_back({platform, std::move(email), applied, block_days});
  };
  add("marketplace-a", "feeds@casaverde.example", {markup_mode::percentage, 5'00}, {});
  add("marketplace-b", "b@casaverde.example", {markup_mode::fixed, 49'50}, 30);
  add("marketplace-c", {}, {}, 0);
  add("marketplace-d", {}, {markup_mode::percentage, 12'50}, {});
  add("booking-engine", "engine@casaverde.example", {markup_mode::fixed, 10'00}, 90);
  add("room-sharing", "rooms@casaverde.example", {markup_mode::percentage, 3'00}, 365);
  add("student-housing", {}, {markup_mode::fixed, 1}, {});
  add("single-landlord", "owner@casaverde.example", {markup_mode::percentage, 10'00}, 60);
  return account;
}

/// A flat with a variable rent and booking windows, neither in chronological order, one of the windows past.
house flat() {
  house home;
  const auto from = "2026-01-10T08:00:00.000Z"_at, to = "2026-05-02T09:15:00.250Z"_at;
  home.terms.kind = unit_kind::property;
  home.terms.internal_name = "Calle Mayor 12";
  home.terms.capacity = 4;
  home.terms.extra_price_per_tenant = 40'50_cents;
  home.terms.rent = {.fixed = false,
                     .amount = 0_cents,
                     .per_month = {{1, 900'00_cents, from, to},
                                   {7, 1'250'50_cents, from, to},
                                   {8, 1'180'00_cents, from, to}}};
  home.terms.bills = {.included = true, .max_value = 0_cents};
  home.terms.admin_fee = {.enabled = true,
                          .mode = fee_mode::tiered,
                          .tiers = {{1, 99'50_cents}, {30, 150'00_cents}, {180, 0_cents}}};
  home.terms.deposit = {deposit_mode::rent_multiple, 2'00};
  home.terms.booking_windows = {{"2027-09-01"_date, "2027-10-01"_date, "2028-01-31"_date, "2028-06-30"_date},
                                {"2027-01-10"_date, "2027-02-01"_date, "2027-06-15"_date, "2027-07-31"_date},
                                {"2026-01-01"_date, "2026-03-01"_date, "2026-06-01"_date, "2026-08-31"_date}};
  home.hold("2026-12-10"_date, "2026-12-20"_date);
  home.hold("2026-06-01"_date, "2026-06-30"_date);
  return home;
}

/// The costs of the rooms' house in addition to the rent.
property_terms rooms_house() {
  property_terms terms;
  terms.cleaning_fee = {.enabled = true, .value = 25'75_cents};
  terms.monthly_bills = 60'50_cents;
  terms.membership_fee = 29'50_cents;
  terms.parking = 45'25_cents;
  return terms;
}

/// A room with its own advance notice, in an open booking window.
house room() {
  house home;
  home.property = rooms_house();
  home.terms.internal_name = "CM14 Room 1";
  home.terms.min_stay_months = 2;
  home.terms.max_stay_months = 12;
  home.terms.extra_price_per_tenant = 120'00_cents; // not charged: the capacity is 1
  home.terms.bills = {.included = false, .max_value = 50'00_cents};
  home.terms.admin_fee = {.enabled = true, .mode = fee_mode::fixed, .value = 149'50_cents};
  home.terms.deposit = {deposit_mode::rent_multiple, 1'50};
  home.terms.advance_notice_days = 0;
  home.terms.booking_windows = {{"2026-11-01"_date, "2026-12-31"_date, "2027-01-31"_date, "2027-10-31"_date}};
  home.hold("2027-03-01"_date, "2027-03-31"_date);
  home.hold("2026-11-10"_date, "2026-12-04"_date);
  return home;
}

/// A bed with a block without end.
house bed() {
  house home;
  home.property = rooms_house();
  home.terms.kind = unit_kind::bed;
  home.terms.internal_name = R"(CM14 Room 2, bed "A")";
  home.terms.capacity = 2;
  home.terms.extra_price_per_tenant = 80'00_cents;
  home.terms.rent.amount = 320'10_cents;
  home.terms.min_stay_months = 0;
  home.terms.bills = {.included = true, .max_value = std::nullopt};
  home.terms.admin_fee = {.enabled = false, .mode = fee_mode::fixed, .value = 100'00_cents};
  home.terms.deposit = {deposit_mode::fixed, 200'00};
  home.hold("2027-05-01"_date, no_end);
  return home;
}

struct golden_unit {
  std::string name;
  house home;
  std::map<platform_kind, std::string> ids;
};

std::vector<golden_unit> golden_units() {
  return {{"flat",
           flat(),
           {{marketplace_a, "8812"},
            {marketplace_b, "550"},
            {marketplace_c, "c-1"},
            {marketplace_d, "12"},
            {booking_engine, "P1"},
            {channel_manager, "100"},
            {room_sharing, "r1"},
            {student_housing, "s-17"},
            {single_landlord, "flat-one"}}},
          {"room",
           room(),
           {{marketplace_a, "771"},
            {marketplace_b, "551"},
            {marketplace_c, "c-2"},
            {marketplace_d, "13_1"},
            {booking_engine, "P2_R1"},
            {channel_manager, "101"},
            {room_sharing, "r2"},
            {student_housing, "s-18"},
            {single_landlord, "room-one"}}},
          {"bed",
           bed(),
           {{marketplace_a, "772"},
            {marketplace_b, "552"},
            {marketplace_c, "c-3"},
            {marketplace_d, "13_2"},
            {booking_engine, "P2_R2"},
            {channel_manager, "102"},
            {room_sharing, "r3"},
            {student_housing, "s-19"},
            {single_landlord, "c4a760a8-dbcf-41e6-9d3a-2f1a4b5c6d7e"}}}};
}

/// Returns the source of the unit's listing on a platform.
house on_platform(const golden_unit& unit, platform_kind kind) {
  auto home = unit.home;
  home.account = casa_verde();
  home.link_to(kind);
  home.external_id = unit.ids.at(kind);
  return home;
}

TEST(PartialGoldens, MatchTheListOfEveryKindOfUnitOnEveryKindOfPlatform) {
  for (const auto& unit : golden_units())
    for (const auto kind : every_kind) {
      const auto name = std::string{to_string(kind)} + '.' + unit.name;
      expect_golden("partial/" + name, on_platform(unit, kind).listing(past_blocks::left_out, golden_time));
    }
}

TEST(PartialGoldens, MatchSingleReadsWithPastBlocks) {
  const auto flat = golden_units().front();
  for (const auto kind : {marketplace_b, booking_engine}) {
    const auto name = std::string{to_string(kind)} + ".flat.single";
    expect_golden("partial/" + name, on_platform(flat, kind).listing(past_blocks::shown, golden_time));
  }
}

TEST(PartialGoldens, AreAllChecked) {
  std::set<std::string> expected{"marketplace-b.flat.single.json", "booking-engine.flat.single.json"}, there;
  for (const auto kind : every_kind)
    for (const auto* unit : {"flat", "room", "bed"})
      expected.insert(std::string{to_string(kind)} + '.' + unit + ".json");
  for (const auto& file : fs::directory_iterator{goldens}) there.insert(file.path().filename());
  EXPECT_EQ(there, expected);
}

} // namespace roost::listings::partial_goldens_test
