#include "cli/output.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace roost::testing::output_test {
using namespace std::chrono_literals;
using cli::cell, cli::cell_as, cli::data_cell, cli::list_format, cli::list_printer;

/// The byte order mark, by which spreadsheets recognize UTF-8.
const std::string mark = "\xEF\xBB\xBF";

/// Prints two rows, one with difficult characters.
std::string printed(list_format format) {
  ::testing::internal::CaptureStdout();
  {
    list_printer list(format, {"id", "name", "nights", "live", "note"});
    list.add({cell(std::string("a")), cell(std::string("Casa \"Verde\", 1\nOffice")), cell_as(3, "3 nights"),
              cell(true), cell(std::optional<std::string>{})});
    list.add({cell(std::string("b")), cell(std::string("plain")), cell(0), cell(false),
              data_cell(std::string("hidden"))});
  }
  std::fflush(stdout);
  return ::testing::internal::GetCapturedStdout();
}

TEST(ListPrinter, PrintsUntrustedTextOnOneLine) {
  EXPECT_EQ(printed(list_format::text), "a  Casa \"Verde\", 1 Office  3 nights  yes\nb  plain  0  no\n");
}

TEST(ListPrinter, PrintsAnArrayOfObjectsAsJson) {
  EXPECT_EQ(printed(list_format::json),
            "[\n  {\"id\":\"a\",\"name\":\"Casa \\\"Verde\\\", "
            "1\\nOffice\",\"nights\":3,\"live\":true,\"note\":null},\n"
            "  {\"id\":\"b\",\"name\":\"plain\",\"nights\":0,\"live\":false,\"note\":\"hidden\"}\n]\n");
}

TEST(ListPrinter, QuotesCsvWhereNecessary) {
  EXPECT_EQ(printed(list_format::csv), mark + "id,name,nights,live,note\r\n"
                                              "a,\"Casa \"\"Verde\"\", 1\nOffice\",3,true,\r\n"
                                              "b,plain,0,false,hidden\r\n");
}

TEST(ListPrinter, PrefixesFormulasInCsv) {
  const auto line = [](list_format format) {
    ::testing::internal::CaptureStdout();
    {
      list_printer list(format, {"a", "b", "c", "d", "e", "f", "number", "inside"});
      list.add({cell(std::string(R"(=HYPERLINK("https://evil.example","x"))")), cell(std::string("+351 912")),
                cell(std::string("-x")), cell(std::string("@x")), cell(std::string("\tx")),
                cell(std::string("\rx")), cell(-1), cell(std::string("a=b"))});
    }
    std::fflush(stdout);
    return ::testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(line(list_format::csv), mark + "a,b,c,d,e,f,number,inside\r\n"
                                           "\"'=HYPERLINK(\"\"https://evil.example\"\",\"\"x\"\")\","
                                           "'+351 912,'-x,'@x,'\tx,\"'\rx\",-1,a=b\r\n");
  EXPECT_EQ(line(list_format::json),
            "[\n  {\"a\":\"=HYPERLINK(\\\"https://evil.example\\\",\\\"x\\\")\",\"b\":\"+351 912\","
            "\"c\":\"-x\",\"d\":\"@x\",\"e\":\"\\tx\",\"f\":\"\\rx\",\"number\":-1,\"inside\":\"a=b\"}\n]\n");
}

/// Lists the numbers from 1 to `count`. Returns the texts on standard output and stderr.
std::pair<std::string, std::string> limited(list_format format, std::size_t limit, std::size_t count) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  {
    list_printer list(format, {"n"});
    std::vector<std::size_t> rows(std::min(limit + 1, count));
    std::iota(rows.begin(), rows.end(), std::size_t{1});
    for (const auto each : list.limited(rows, limit)) list.add({cell(each)});
  }
  std::fflush(stdout);
  auto output = ::testing::internal::GetCapturedStdout();
  return {std::move(output), ::testing::internal::GetCapturedStderr()};
}

TEST(ListPrinter, ReportsOmittedRowsToPeople) {
  EXPECT_EQ(limited(list_format::text, 2, 2), std::pair(std::string("1\n2\n"), std::string{}));
  EXPECT_EQ(
      limited(list_format::text, 2, 3),
      std::pair(
          std::string("1\n2\n"),
          std::string("only the first 2 are shown; use --limit N for more, or --json or --csv for all\n")));
  EXPECT_EQ(limited(list_format::csv, 2, 3), std::pair(mark + "n\r\n1\r\n2\r\n", std::string{}));
  EXPECT_EQ(limited(list_format::csv, cli::no_limit, 3),
            std::pair(mark + "n\r\n1\r\n2\r\n3\r\n", std::string{}));
}

TEST(ListPrinter, PrintsAnEmptyList) {
  const auto empty = [](list_format format) {
    ::testing::internal::CaptureStdout();
    { const list_printer list(format, {"id"}); }
    std::fflush(stdout);
    return ::testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(empty(list_format::text), "");
  EXPECT_EQ(empty(list_format::json), "[]\n");
  EXPECT_EQ(empty(list_format::csv), mark + "id\r\n");
}

TEST(MonthPicture, MarksNightsInWeeksFromMonday) {
  const auto first_taken = domain::date_of(2027y / 2 / 3), last_taken = domain::date_of(2027y / 2 / 14);
  const auto picture = cli::month_picture(
      2027y / 2, [&](domain::date day) { return day >= first_taken && day <= last_taken ? '#' : ' '; });
  EXPECT_EQ(picture, "February 2027\n"
                     " Mo  Tu  We  Th  Fr  Sa  Su\n"
                     "  1   2   3#  4#  5#  6#  7#\n"
                     "  8#  9# 10# 11# 12# 13# 14#\n"
                     " 15  16  17  18  19  20  21\n"
                     " 22  23  24  25  26  27  28\n");
}

TEST(MonthPicture, BeginsAndEndsWithinAWeek) {
  const auto picture = cli::month_picture(2027y / 1, [](domain::date) { return ' '; });
  EXPECT_EQ(picture, "January 2027\n"
                     " Mo  Tu  We  Th  Fr  Sa  Su\n"
                     "                  1   2   3\n"
                     "  4   5   6   7   8   9  10\n"
                     " 11  12  13  14  15  16  17\n"
                     " 18  19  20  21  22  23  24\n"
                     " 25  26  27  28  29  30  31\n");
}

TEST(MonthPicture, HandlesLeapYears) {
  const auto picture = cli::month_picture(2028y / 2, [](domain::date) { return ' '; });
  EXPECT_NE(picture.find(" 28  29\n"), std::string::npos);
  EXPECT_EQ(picture.find(" 30"), std::string::npos);
}

} // namespace roost::testing::output_test
