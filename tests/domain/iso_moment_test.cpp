#include "domain/iso_moment.hpp"
#include "support/random_cases.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::domain::iso_moment_test {

std::string read(std::string_view text) {
  const auto moment = parse_iso_moment(text);
  return moment ? to_string(*moment) : "";
}

TEST(IsoMoment, MayLeaveOutWhatIsTheFirstOfItsKind) {
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

TEST(IsoMoment, CountsADayThatItsMonthDoesNotHaveOn) {
  EXPECT_EQ(read("2026-02-30"), "2026-03-02T00:00:00.000Z");
  EXPECT_EQ(read("2026-11-31T10:00Z"), "2026-12-01T10:00:00.000Z");
}

TEST(IsoMoment, IsNothingElse) {
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
  EXPECT_EQ(parse_iso_moment("-0001-01-01"), timestamp{date{std::chrono::year{-1} / 1 / 1}});
}

TEST(IsoMomentProperty, ReadsWhatATimestampIsWrittenAs) {
  for_random_cases(300, [](std::mt19937& random) {
    const timestamp moment{
        std::chrono::milliseconds{between(random, -60'000'000'000'000, 250'000'000'000'000)}};
    EXPECT_EQ(parse_iso_moment(to_string(moment)), moment);
  });
}

} // namespace roost::domain::iso_moment_test
