#include "domain/tool_access.hpp"

#include <gtest/gtest.h>

namespace roost::domain::tool_access_test {

TEST(ToolAccess, IsOffWhereTheAccountDoesNotSay) {
  EXPECT_FALSE(tool_access{}.any());
  EXPECT_EQ(tool_access{}.scope(), "");
}

TEST(ToolAccess, IsReadFromWhatTheAccountSays) {
  const tool_access access({{"team", "edit"}, {"bookings", "read-only"}, {"listings", "off"}});
  EXPECT_TRUE(access.any());
  EXPECT_EQ(access.level(*find_tool_area("team")), tool_level::edit);
  EXPECT_EQ(access.level(*find_tool_area("bookings")), tool_level::read_only);
  EXPECT_EQ(access.level(*find_tool_area("listings")), tool_level::off);
}

TEST(ToolAccess, NamesItsAreasInTheSpecificationsOrder) {
  EXPECT_EQ(tool_access({{"team", "edit"}, {"scheduledReports", "edit"}, {"bookings", "read-only"}}).scope(),
            "bookings scheduledReports team");
}

TEST(ToolAccess, KnowsNoOtherAreasAndLevels) {
  EXPECT_FALSE(find_tool_area("billing"));
  EXPECT_FALSE(parse_tool_level("write"));
  EXPECT_FALSE(tool_access({{"billing", "edit"}, {"team", "write"}}).any());
}

} // namespace roost::domain::tool_access_test
