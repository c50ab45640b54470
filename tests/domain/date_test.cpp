#include "domain/date.hpp"
#include "support/random_cases.hpp"
#include "support/values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace roost::domain::date_test {
date day_at(int year, unsigned month, unsigned day) {
  return date_of(std::chrono::year{year} / std::chrono::month{month} / std::chrono::day{day});
}

TEST(ParseDate, ReadsCalendarDays) {
  EXPECT_EQ(parse_date("1970-01-01"), date{});
  EXPECT_EQ(parse_date("2026-11-20"), day_at(2026, 11, 20));
  EXPECT_EQ(parse_date("0001-01-01"), day_at(1, 1, 1));
  EXPECT_EQ(parse_date("9999-12-31"), no_end);
}

TEST(ParseDate, SupportsLeapYears) {
  EXPECT_EQ(parse_date("2024-02-29"), day_at(2024, 2, 29));
  EXPECT_EQ(parse_date("2000-02-29"), day_at(2000, 2, 29));
  for (const std::string year : {"2026", "2027", "1900", "2100"})
    EXPECT_FALSE(parse_date(year + "-02-29")) << year;
}

TEST(ParseDate, RejectsNonexistentDays) {
  for (const auto* text : {"2026-00-10", "2026-13-01", "2026-04-31", "2026-06-31", "2026-01-00", "2026-01-32",
                           "2024-02-30", "0000-01-01", "2026-99-99"})
    EXPECT_FALSE(parse_date(text)) << text;
}

TEST(ParseDate, RejectsOtherForms) {
  for (const auto* text :
       {"", "2026", "2026-1-05", "26-01-05", "2026/01/05", "20260105", "2026-01-5", " 2026-01-05",
        "2026-01-05 ", "2026-01-05T00:00:00.000Z", "12026-01-05", "+026-01-05", "-026-01-05", "2026-01-0a",
        "2026--1-05", "2026-01:05", "05-01-2026"})
    EXPECT_FALSE(parse_date(text)) << text;
  EXPECT_FALSE(parse_date(std::string_view{"2026-01-05\0", 11}));
}

TEST(DateText, HasFourTwoAndTwoDigits) {
  EXPECT_EQ(to_string(day_at(2026, 11, 20)), "2026-11-20");
  EXPECT_EQ(to_string(day_at(7, 3, 4)), "0007-03-04");
  EXPECT_EQ(to_string(no_end), "9999-12-31");
}

TEST(DateText, ReadsBackTheSame) {
  const int first = day_at(1, 1, 1).time_since_epoch().count(), last = no_end.time_since_epoch().count();
  for_random_cases(5'000, [&](std::mt19937& random) {
    const date day{days{int_between(random, first, last)}};
    EXPECT_EQ(parse_date(to_string(day)), day) << to_string(day);
  });
}

TEST(TimestampText, IsUtcWithMilliseconds) {
  EXPECT_EQ(to_string(timestamp{}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_string(timestamp{day_at(2026, 11, 20)} + std::chrono::minutes{9 * 60 + 30}),
            "2026-11-20T09:30:00.000Z");
  EXPECT_EQ(to_string(timestamp{std::chrono::milliseconds{-1}}), "1969-12-31T23:59:59.999Z");
}

TEST(ParseTimestamp, ReadsTheFormatsOfTheServiceAndItsStores) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"2026-11-20T09:30:15.007Z", "2026-11-20T09:30:15.007Z"},
      {"2026-11-20T09:30:15Z", "2026-11-20T09:30:15.000Z"},
      {"2026-11-20T09:30:15", "2026-11-20T09:30:15.000Z"},
      {"2026-11-20 09:30:15.12", "2026-11-20T09:30:15.120Z"},
      {"2026-11-20 09:30:15.123456+00", "2026-11-20T09:30:15.123Z"},
      {"2024-02-29 00:00:00+00", "2024-02-29T00:00:00.000Z"}};
  for (const auto& [text, moment] : cases) {
    const auto read = parse_timestamp(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(to_string(*read), moment) << text;
  }
}

TEST(ParseTimestamp, NeverRoundsIntoTheNextSecond) {
  EXPECT_EQ(parse_timestamp("2026-12-31T23:59:59.999999999Z"), "2026-12-31T23:59:59.999Z"_at);
}

TEST(ParseTimestamp, RejectsNonexistentTimes) {
  for (const auto* text : {"2026-02-29T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T23:60:00Z",
                           "2026-11-20T23:59:60Z", "0000-01-01T00:00:00Z"})
    EXPECT_FALSE(parse_timestamp(text)) << text;
}

TEST(ParseTimestamp, RejectsOtherForms) {
  for (const auto* text :
       {"", "2026-11-20", "2026-11-20T09:30", "2026-11-20t09:30:15Z", "2026-11-20T9:30:15Z",
        "2026-11-20T09:30:15.Z", "2026-11-20T09:30:15,5Z", "2026-11-20T09:30:15.5xZ",
        "2026-11-20T09:30:15.1234567890Z", "2026-11-20T09:30:15+01:00", "2026-11-20T09:30:15-00",
        "2026-11-20T09:30:15ZZ", "2026-11-20T09:30:15+00Z", "2026-11-20T09:30:15 Z", " 2026-11-20T09:30:15Z",
        "2026-11-20T-9:30:15Z", "2026-11-20T09-30-15Z"})
    EXPECT_FALSE(parse_timestamp(text)) << text;
}

TEST(TimestampText, ReadsBackTheSame) {
  const auto first = timestamp{day_at(1, 1, 1)}.time_since_epoch().count();
  const auto last = timestamp{no_end}.time_since_epoch().count();
  for_random_cases(5'000, [&](std::mt19937& random) {
    const timestamp moment{std::chrono::milliseconds{between(random, first, last)}};
    EXPECT_EQ(parse_timestamp(to_string(moment)), moment) << to_string(moment);
  });
}

TEST(DayOf, IsTheUtcDayAlsoBeforeTheEpoch) {
  EXPECT_EQ(day_of("2026-11-20T00:00:00.000Z"_at), "2026-11-20"_date);
  EXPECT_EQ(day_of("2026-11-20T23:59:59.999Z"_at), "2026-11-20"_date);
  EXPECT_EQ(day_of("1969-12-31T23:59:59.999Z"_at), "1969-12-31"_date);
}

struct months_case {
  date from;
  int months;
  date to;
};

TEST(AddMonths, KeepsTheDayAndClampsItToTheMonthsLast) {
  const std::vector<months_case> cases{
      {"2026-01-15"_date, 0, "2026-01-15"_date},   {"2026-01-15"_date, 1, "2026-02-15"_date},
      {"2026-01-31"_date, 1, "2026-02-28"_date},   {"2024-01-31"_date, 1, "2024-02-29"_date},
      {"2026-01-31"_date, 2, "2026-03-31"_date},   {"2026-03-31"_date, 1, "2026-04-30"_date},
      {"2026-11-15"_date, 3, "2027-02-15"_date},   {"2026-12-31"_date, 2, "2027-02-28"_date},
      {"2024-02-29"_date, 12, "2025-02-28"_date},  {"2024-02-29"_date, 48, "2028-02-29"_date},
      {"2026-02-28"_date, 1, "2026-03-28"_date},   {"2026-03-31"_date, -1, "2026-02-28"_date},
      {"2026-01-15"_date, -13, "2024-12-15"_date}, {"2027-08-01"_date, 24, "2029-08-01"_date}};
  for (const auto& [from, months, to] : cases)
    EXPECT_EQ(to_string(add_months(from, months)), to_string(to)) << to_string(from) << " + " << months;
}

unsigned length_of_month(int year, unsigned month) {
  static constexpr unsigned lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return lengths[month - 1] + (leap && month == 2 ? 1 : 0);
}

TEST(AddMonths, IsClampedInEveryMonth) {
  for_random_cases(5'000, [](std::mt19937& random) {
    const int year = int_between(random, 1890, 2410);
    const auto month = static_cast<unsigned>(int_between(random, 1, 12));
    const auto day =
        static_cast<unsigned>(int_between(random, 1, static_cast<int>(length_of_month(year, month))));
    const int months = int_between(random, -600, 600);
    const int count = year * 12 + static_cast<int>(month) - 1 + months; // months since the year 0
    const auto target = static_cast<unsigned>(count % 12 + 1);
    const auto expected = day_at(count / 12, target, std::min(day, length_of_month(count / 12, target)));
    EXPECT_EQ(to_string(add_months(day_at(year, month, day), months)), to_string(expected))
        << year << '-' << month << '-' << day << " + " << months;
  });
}

TEST(AddMonths, IsMonotonic) {
  const auto start = "2023-01-01"_date;
  for_random_cases(5'000, [&](std::mt19937& random) {
    const date a = start + days{int_between(random, 0, 1'500)}, b = a + days{int_between(random, 0, 40)};
    const int n = int_between(random, 0, 40), m = n + int_between(random, 0, 3);
    EXPECT_LE(add_months(a, n), add_months(b, n)) << text_of(a) << ' ' << text_of(b) << ' ' << n;
    EXPECT_LE(add_months(a, n), add_months(a, m)) << text_of(a) << ' ' << n << ' ' << m;
  });
}

TEST(FullMonthsBetween, AreRoundedDown) {
  EXPECT_EQ(full_months_between("2026-01-15"_date, "2026-02-14"_date), 0);
  EXPECT_EQ(full_months_between("2026-01-15"_date, "2026-02-15"_date), 1);
  EXPECT_EQ(full_months_between("2026-01-15"_date, "2026-03-14"_date), 1);
  EXPECT_EQ(full_months_between("2026-11-30"_date, "2027-11-30"_date), 12);
  EXPECT_EQ(full_months_between("2026-11-30"_date, "2027-11-29"_date), 11);
}

TEST(FullMonthsBetween, CountAMonthThatEndsOnItsClampedDay) {
  EXPECT_EQ(full_months_between("2026-01-31"_date, "2026-02-28"_date), 1);
  EXPECT_EQ(full_months_between("2024-01-31"_date, "2024-02-28"_date), 0);
  EXPECT_EQ(full_months_between("2024-01-31"_date, "2024-02-29"_date), 1);
}

TEST(FullMonthsBetween, AreNoneWhenTheEndIsNotLater) {
  EXPECT_EQ(full_months_between("2026-01-15"_date, "2026-01-15"_date), 0);
  EXPECT_EQ(full_months_between("2026-06-15"_date, "2026-01-15"_date), 0);
}

TEST(FullMonthsBetween, IsTheMaximumThatFits) {
  for_random_cases(5'000, [](std::mt19937& random) {
    const date from = "2023-01-01"_date + days{int_between(random, 0, 1'500)};
    const date to = from + days{int_between(random, 1, 1'200)};
    const int fit = full_months_between(from, to);
    EXPECT_LE(add_months(from, fit), to) << text_of(from) << ' ' << text_of(to);
    EXPECT_GT(add_months(from, fit + 1), to) << text_of(from) << ' ' << text_of(to);
  });
}

TEST(StayNights, EndTheNightBeforeCheckOut) {
  EXPECT_EQ(text_of(stay_nights("2027-03-01"_date, "2027-04-01"_date)), "2027-03-01..2027-03-31");
  EXPECT_EQ(text_of(stay_nights("2027-03-01"_date, "2027-03-02"_date)), "2027-03-01..2027-03-01");
}

TEST(Nights, OverlapWhenTheyShareOne) {
  const nights march{"2027-03-01"_date, "2027-03-31"_date};
  const auto shares = [&](date first, date last) {
    const nights other{first, last};
    EXPECT_EQ(overlap(march, other), overlap(other, march));
    return overlap(march, other);
  };
  EXPECT_FALSE(shares("2027-02-01"_date, "2027-02-28"_date));
  EXPECT_TRUE(shares("2027-02-01"_date, "2027-03-01"_date));
  EXPECT_TRUE(shares("2027-03-10"_date, "2027-03-10"_date));
  EXPECT_TRUE(shares("2027-02-01"_date, "2027-04-30"_date));
  EXPECT_TRUE(shares("2027-03-31"_date, "2027-04-30"_date));
  EXPECT_FALSE(shares("2027-04-01"_date, "2027-04-30"_date));
}

TEST(MonthOf, CountsFromJanuary) {
  EXPECT_EQ(month_of("2027-01-31"_date), 1U);
  EXPECT_EQ(month_of("2027-12-01"_date), 12U);
}

std::string read(std::string_view text) {
  const auto moment = parse_iso_moment(text);
  return moment ? to_string(*moment) : "";
}

TEST(IsoMoment, DefaultsMissingPartsToTheirLowestValue) {
  EXPECT_EQ(read("2026"), "2026-01-01T00:00:00.000Z");
  EXPECT_EQ(read("2026-11"), "2026-11-01T00:00:00.000Z");
  EXPECT_EQ(read("2026-11-20"), "2026-11-20T00:00:00.000Z");
  EXPECT_EQ(read("2026-11-20T10"), "2026-11-20T10:00:00.000Z");
  EXPECT_EQ(read("2026-11-20T10:30"), "2026-11-20T10:30:00.000Z");
  EXPECT_EQ(read("2026-11-20T"), "2026-11-20T00:00:00.000Z");
}

TEST(IsoMoment, IsReadInEveryFormOfADate) {
  for (const auto* text : {"20261120", "2026-11-20", "2026W475", "2026-W47-5", "2026-W475", "2026324",
                           "2026-324", "+2026-11-20", "20261120T00", "2026-11-20 00:00:00Z"})
    EXPECT_EQ(read(text), "2026-11-20T00:00:00.000Z") << text;
  EXPECT_EQ(read("2026-W01"), "2025-12-29T00:00:00.000Z");
  EXPECT_EQ(read("2024-366"), "2024-12-31T00:00:00.000Z");
}

TEST(IsoMoment, IsReadInEveryFormOfATime) {
  for (const auto* text : {"2026-11-20T10:30:15.25Z", "20261120T103015,25", "2026-11-20t10:30:15.250z",
                           "2026-11-20 10:30:15.2509Z", "2026-11-20T12:30:15.250+02:00",
                           "2026-11-20T12:30:15.250+02", "2026-11-20T08:00:15.250-0230"}) {
    const std::string form(text);
    EXPECT_EQ(read(form), form.find('t') == std::string::npos ? "2026-11-20T10:30:15.250Z" : "") << text;
  }
  EXPECT_EQ(read("2026-11-20T10.5"), "2026-11-20T10:30:00.000Z");
  EXPECT_EQ(read("2026-11-20T10:30,5"), "2026-11-20T10:30:30.000Z");
  EXPECT_EQ(read("2026-11-20T24:00"), "2026-11-21T00:00:00.000Z");
  EXPECT_EQ(read("2026-11-20T2400+01"), "2026-11-20T23:00:00.000Z");
}

TEST(IsoMoment, ContinuesIntoTheNextMonth) {
  EXPECT_EQ(read("2026-02-30"), "2026-03-02T00:00:00.000Z");
  EXPECT_EQ(read("2026-11-31T10:00Z"), "2026-12-01T10:00:00.000Z");
}

TEST(IsoMoment, RejectsEverythingElse) {
  for (const auto* text : {"",
                           "garbage",
                           "26-11-20",
                           "202611",
                           "2026-13",
                           "2026-1-1",
                           "2026-11-32",
                           "2026-11-20X",
                           "2026-11-20T25:00",
                           "2026-11-20T10:60",
                           "2026-1120",
                           "2026-000",
                           "2026-367",
                           "2026-W54",
                           "2026-W10-8",
                           "20261",
                           "2026-11-",
                           "2026-11-20T10:3",
                           "2026-11-20T10:3015",
                           "2026-11-20T10:00+25",
                           "2026-11-20T10:00Zx",
                           "2026/11/20",
                           "1763632800000"})
    EXPECT_EQ(parse_iso_moment(text), std::nullopt) << text;
}

TEST(IsoMoment, MayBeOfAYearBeforeTheFirst) {
  EXPECT_EQ(parse_iso_moment("-0001-01-01"), timestamp{date_of(std::chrono::year{-1} / 1 / 1)});
}

TEST(IsoMomentProperty, ReadsFormattedTimestamps) {
  for_random_cases(300, [](std::mt19937& random) {
    const timestamp moment{
        std::chrono::milliseconds{between(random, -60'000'000'000'000, 250'000'000'000'000)}};
    EXPECT_EQ(parse_iso_moment(to_string(moment)), moment);
  });
}

using namespace std::chrono_literals;

TEST(WrittenOut, FormatsDatesAndTimestamps) {
  const auto moment = *parse_timestamp("2027-02-01T09:05:59.999Z");
  EXPECT_EQ(written_out(day_of(moment)), "1 February 2027");
  EXPECT_EQ(written_out(moment), "1 February 2027, 09:05 UTC");
}

TEST(WrittenOut, FormatsADurationInTheLargestExactUnit) {
  EXPECT_EQ(written_out(10min), "10 minutes");
  EXPECT_EQ(written_out(1min), "1 minute");
  EXPECT_EQ(written_out(1h), "1 hour");
  EXPECT_EQ(written_out(24h), "24 hours");
  EXPECT_EQ(written_out(7 * 24h), "7 days");
  EXPECT_EQ(written_out(90min), "90 minutes");
  EXPECT_EQ(written_out(90s), "90 seconds");
  EXPECT_EQ(written_out(1s), "1 second");
}

} // namespace roost::domain::date_test
