#include "cli/listing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
