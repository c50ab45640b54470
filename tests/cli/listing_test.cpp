#include "cli/listing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace roost::testing::listing_test {
using cli::list_format, cli::printed_list, cli::shown, cli::shown_as;

/// A list of two lines, one with all that makes trouble.
std::string printed(list_format format) {
  ::testing::internal::CaptureStdout();
  {
    printed_list list(format, {"id", "name", "nights", "live", "note"});
    list.add({shown(std::string("a")), shown(std::string("Casa \"Verde\", 1\nOffice")),
              shown_as(3, "3 nights"), shown(true), shown(std::optional<std::string>{})});
    list.add({shown(std::string("b")), shown(std::string("plain")), shown(0), shown(false),
              cli::unshown(std::string("hidden"))});
  }
  std::fflush(stdout);
  return ::testing::internal::GetCapturedStdout();
}

TEST(Listing, IsALineForPeopleWhateverOthersHaveWritten) {
  EXPECT_EQ(printed(list_format::text), "a  Casa \"Verde\", 1 Office  3 nights  yes\nb  plain  0  no\n");
}

TEST(Listing, IsAnArrayOfObjectsInJson) {
  EXPECT_EQ(printed(list_format::json),
            "[\n  {\"id\":\"a\",\"name\":\"Casa \\\"Verde\\\", "
            "1\\nOffice\",\"nights\":3,\"live\":true,\"note\":null},\n"
            "  {\"id\":\"b\",\"name\":\"plain\",\"nights\":0,\"live\":false,\"note\":\"hidden\"}\n]\n");
}

TEST(Listing, IsQuotedInCsvWhereItMustBe) {
  EXPECT_EQ(printed(list_format::csv), "id,name,nights,live,note\r\n"
                                       "a,\"Casa \"\"Verde\"\", 1\nOffice\",3,true,\r\n"
                                       "b,plain,0,false,hidden\r\n");
}

TEST(Listing, IsNoFormulaInCsvWhateverOthersHaveWritten) {
  const auto line = [](list_format format) {
    ::testing::internal::CaptureStdout();
    {
      printed_list list(format, {"a", "b", "c", "d", "e", "f", "number", "inside"});
      list.add({shown(std::string(R"(=HYPERLINK("https://evil.example","x"))")),
                shown(std::string("+351 912")), shown(std::string("-x")), shown(std::string("@x")),
                shown(std::string("\tx")), shown(std::string("\rx")), shown(-1), shown(std::string("a=b"))});
    }
    std::fflush(stdout);
    return ::testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(line(list_format::csv), "a,b,c,d,e,f,number,inside\r\n"
                                    "\"'=HYPERLINK(\"\"https://evil.example\"\",\"\"x\"\")\","
                                    "'+351 912,'-x,'@x,'\tx,\"'\rx\",-1,a=b\r\n");
  EXPECT_EQ(line(list_format::json),
            "[\n  {\"a\":\"=HYPERLINK(\\\"https://evil.example\\\",\\\"x\\\")\",\"b\":\"+351 912\","
            "\"c\":\"-x\",\"d\":\"@x\",\"e\":\"\\tx\",\"f\":\"\\rx\",\"number\":-1,\"inside\":\"a=b\"}\n]\n");
}

/// What a list of the numbers from 1 to `there` prints, and what it says beside it.
std::pair<std::string, std::string> limited(list_format format, std::size_t limit, std::size_t there) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  {
    printed_list list(format, {"n"});
    const auto read = [&](std::size_t most) {
      std::vector<std::size_t> rows;
      while (rows.size() < std::min(most, there)) rows.push_back(rows.size() + 1);
      return rows;
    };
    for (const auto each : list.first_of(limit, read)) list.add({shown(each)});
  }
  std::fflush(stdout);
  auto output = ::testing::internal::GetCapturedStdout();
  return {std::move(output), ::testing::internal::GetCapturedStderr()};
}

TEST(Listing, TellsPeopleThatThereIsMoreThanItsLimit) {
  EXPECT_EQ(limited(list_format::text, 2, 2), std::pair(std::string("1\n2\n"), std::string{}));
  EXPECT_EQ(
      limited(list_format::text, 2, 3),
      std::pair(
          std::string("1\n2\n"),
          std::string("there are more than the 2 shown; --limit N shows more, --json and --csv show all\n")));
  EXPECT_EQ(limited(list_format::csv, 2, 3), std::pair(std::string("n\r\n1\r\n2\r\n"), std::string{}));
  EXPECT_EQ(limited(list_format::csv, cli::no_limit, 3),
            std::pair(std::string("n\r\n1\r\n2\r\n3\r\n"), std::string{}));
}

TEST(Listing, OfNothingIsStillAList) {
  const auto empty = [](list_format format) {
    ::testing::internal::CaptureStdout();
    { const printed_list list(format, {"id"}); }
    std::fflush(stdout);
    return ::testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(empty(list_format::text), "");
  EXPECT_EQ(empty(list_format::json), "[]\n");
  EXPECT_EQ(empty(list_format::csv), "id\r\n");
}

} // namespace roost::testing::listing_test
