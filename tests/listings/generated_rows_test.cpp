#include "listings/listing.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::listings::generated_rows_test {

using domain::block, domain::booking_window, domain::calendar, domain::date, domain::days, domain::nights,
    domain::no_end, domain::operator""_at, domain::operator""_date, domain::platform_card,
    domain::platform_kind, domain::timestamp, domain::to_string;

const date today = "2026-11-20"_date;
const timestamp now = "2026-11-20T23:59:59.999Z"_at;

block held(date first, date last) {
  block result;
  result.nights = {first, last};
  result.created_at = "2026-09-01T10:00:00.000Z"_at;
  result.updated_at = "2026-09-02T11:00:00.000Z"_at;
  return result;
}

/// The source of generated rows, which tests change.
struct scene {
  std::vector<block> blocks;
  platform_kind kind = platform_kind::marketplace_a;
  platform_card card;
  std::optional<booking_window> window;
  std::optional<date> available_from = today;

  generated_rows rows() const {
    const calendar nights{blocks};
    return generated_rows_of({nights, kind, &card, window ? &*window : nullptr, available_from}, now);
  }

  /// Returns `reason first..last` of every row, one per line.
  std::string text() const {
    std::string lines;
    for (const auto& row : rows()) lines += std::string{row.reason} + ' ' + text_of(row.nights) + '\n';
    return lines;
  }
};

scene with_block_days(int block_days, std::vector<block> blocks) {
  scene result;
  result.card.calendar_block_days = block_days;
  result.blocks = std::move(blocks);
  return result;
}

TEST(CalendarBlock, RunsTwoYearsFromALastNightMoreThanThatManyDaysAway) {
  const std::vector<block> until_christmas{held("2026-12-01"_date, "2026-12-25"_date)}; // 35 days away
  EXPECT_EQ(with_block_days(34, until_christmas).text(), "Calendar Block 2026-12-25..2028-12-25\n");
  EXPECT_EQ(with_block_days(35, until_christmas).text(), "");
  EXPECT_EQ(with_block_days(36, until_christmas).text(), "");
}

TEST(CalendarBlock, Of0DaysNeedsABlockThatEndsAfterToday) {
  EXPECT_EQ(with_block_days(0, {held("2026-11-01"_date, "2026-11-20"_date)}).text(), "");
  EXPECT_EQ(with_block_days(0, {held("2026-11-01"_date, "2026-11-21"_date)}).text(),
            "Calendar Block 2026-11-21..2028-11-21\n");
}

TEST(CalendarBlock, FollowsTheBlockThatEndsLastNotTheOneThatStartsLast) {
  EXPECT_EQ(with_block_days(30, {held("2027-01-01"_date, "2027-06-30"_date),
                                 held("2027-02-01"_date, "2027-02-28"_date),
                                 held("2026-01-01"_date, "2026-01-31"_date)})
                .text(),
            "Calendar Block 2027-06-30..2029-06-30\n");
}

TEST(CalendarBlock, FollowsTheShownEndOfABlockWithoutEnd) {
  for (const int block_days : {0, 731, 3650})
    EXPECT_EQ(with_block_days(block_days, {held("2027-05-01"_date, no_end)}).text(),
              "Calendar Block 2029-05-01..2031-05-01\n");
  EXPECT_EQ(with_block_days(30, {held("2020-05-01"_date, no_end)}).text(),
            "Calendar Block 2028-11-20..2030-11-20\n");
}

TEST(CalendarBlock, EndsOnTheLastOfFebruaryAndAtMostOnTheLastDay) {
  EXPECT_EQ(with_block_days(30, {held("2028-02-01"_date, "2028-02-29"_date)}).text(),
            "Calendar Block 2028-02-29..2030-02-28\n");
  EXPECT_EQ(with_block_days(30, {held("9999-01-01"_date, "9999-06-30"_date)}).text(),
            "Calendar Block 9999-06-30..9999-12-31\n");
}

TEST(CalendarBlock, HasTheTimesOfItsBlock) {
  const auto row = with_block_days(30, {held("2027-01-01"_date, "2027-06-30"_date)}).rows().at(0);
  EXPECT_EQ(to_string(row.created_at), "2026-09-01T10:00:00.000Z");
  EXPECT_EQ(to_string(row.updated_at), "2026-09-02T11:00:00.000Z");
}

TEST(CalendarBlock, NeedsTheLandlordsSettingAndABlock) {
  EXPECT_EQ(with_block_days(30, {}).text(), "");
  scene unset;
  unset.blocks = {held("2027-01-01"_date, "2027-06-30"_date)};
  EXPECT_EQ(unset.text(), "");
  const calendar nights{unset.blocks};
  EXPECT_TRUE(generated_rows_of({.calendar = nights}, now).empty()); // no card
}

TEST(CalendarBlock, IsForEveryKindOfPlatform) {
  auto scene = with_block_days(30, {held("2027-01-01"_date, "2027-06-30"_date)});
  using enum platform_kind;
  for (const auto kind : {marketplace_a, marketplace_b, marketplace_c, marketplace_d, booking_engine,
                          channel_manager, room_sharing, student_housing, single_landlord}) {
    scene.kind = kind;
    EXPECT_EQ(scene.text(), "Calendar Block 2027-06-30..2029-06-30\n") << to_string(kind);
  }
}

scene room_sharing_from(std::optional<date> available_from) {
  scene result;
  result.kind = platform_kind::room_sharing;
  result.available_from = available_from;
  return result;
}

TEST(NotAvailableYet, RunsFromTodayToTheDayBeforeAvailableFrom) {
  EXPECT_EQ(room_sharing_from("2027-02-01"_date).text(), "Not available yet 2026-11-20..2027-01-31\n");
  EXPECT_EQ(room_sharing_from(today + days{1}).text(), "Not available yet 2026-11-20..2026-11-20\n");
}

TEST(NotAvailableYet, IsMissingWhenTheUnitIsAvailableNowOrNever) {
  EXPECT_EQ(room_sharing_from(today).text(), "");
  EXPECT_EQ(room_sharing_from(std::nullopt).text(), "");
}

scene in_window(booking_window window) {
  scene result;
  result.kind = platform_kind::marketplace_b;
  result.window = window;
  return result;
}

const booking_window spring{"2027-01-10"_date, "2027-02-01"_date, "2027-06-15"_date, "2027-07-31"_date};

TEST(WindowRestriction, HoldsTheNightsBeforeTheFirstCheckInAndFromTheLastCheckOutOn) {
  EXPECT_EQ(in_window(spring).text(), "Booking window restriction 2026-11-20..2027-01-09\n"
                                      "Booking window restriction 2027-07-31..2029-07-31\n");
}

TEST(WindowRestriction, HoldsNothingBeforeAWindowThatIsOpenToday) {
  auto window = spring;
  for (const date first : {today, "2026-01-01"_date}) {
    window.min_start = first;
    EXPECT_EQ(in_window(window).text(), "Booking window restriction 2027-07-31..2029-07-31\n");
  }
  window.min_start = today + days{1};
  EXPECT_EQ(in_window(window).text(), "Booking window restriction 2026-11-20..2026-11-20\n"
                                      "Booking window restriction 2027-07-31..2029-07-31\n");
}

TEST(WindowRestriction, FollowsACalendarBlock) {
  auto scene = in_window(spring);
  scene.card.calendar_block_days = 30;
  scene.blocks = {held("2027-03-01"_date, "2027-03-31"_date)};
  EXPECT_EQ(scene.text(), "Calendar Block 2027-03-31..2029-03-31\n"
                          "Booking window restriction 2026-11-20..2027-01-09\n"
                          "Booking window restriction 2027-07-31..2029-07-31\n");
}

TEST(GeneratedRows, DependOnThePlatform) {
  using enum platform_kind;
  auto scene = in_window(spring);
  scene.available_from = "2027-02-01"_date;
  for (const auto kind : {marketplace_a, marketplace_c, marketplace_d, booking_engine, channel_manager,
                          student_housing, single_landlord}) {
    scene.kind = kind;
    EXPECT_EQ(scene.text(), "") << to_string(kind);
  }
  scene.kind = room_sharing;
  EXPECT_EQ(scene.text(), "Not available yet 2026-11-20..2027-01-31\n");
}

TEST(GeneratedRows, HaveMidnightOfTheDayIfTheyHaveNoTimesOfTheirOwn) {
  for (const auto& scene : {in_window(spring), room_sharing_from("2027-02-01"_date)})
    for (const auto& row : scene.rows()) {
      EXPECT_EQ(to_string(row.created_at), "2026-11-20T00:00:00.000Z");
      EXPECT_EQ(to_string(row.updated_at), "2026-11-20T00:00:00.000Z");
    }
}

} // namespace roost::listings::generated_rows_test
