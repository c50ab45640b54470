#include "domain/assistant.hpp"

#include <gtest/gtest.h>

namespace roost::domain::assistant_test {

TEST(ToolAccess, IsOffByDefault) {
  EXPECT_FALSE(tool_access{}.any());
  EXPECT_EQ(tool_access{}.scope(), "");
}

TEST(ToolAccess, IsReadFromTheAccountsLevels) {
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

TEST(ToolAccess, IgnoresUnknownAreasAndLevels) {
  EXPECT_FALSE(find_tool_area("billing"));
  EXPECT_FALSE(parse_name<tool_level>("write"));
  EXPECT_FALSE(tool_access({{"billing", "edit"}, {"team", "write"}}).any());
}

} // namespace roost::domain::assistant_test
