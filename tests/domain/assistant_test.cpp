#include "domain/assistant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace roost::domain::assistant_test {

using ::testing::ElementsAre;

TEST(ClientNames, StayInOneLine) {
  EXPECT_EQ(kept_client_name(" My\r\n assistant\t"), "My assistant");
  EXPECT_EQ(kept_client_name(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(kept_client_name(""), "");
}

TEST(ClientNames, AreCutTo255Characters) {
  EXPECT_EQ(kept_client_name(std::string(255, 'a')), std::string(255, 'a'));
  EXPECT_EQ(kept_client_name(std::string(256, 'a')), std::string(255, 'a'));
}

TEST(ClientNames, AreNotCutWithinACharacter) {
  const std::string start(254, 'a');
  EXPECT_EQ(kept_client_name(start + "éé"), start + "é");
  EXPECT_EQ(kept_client_name(start + "\U0001F600\U0001F600"), start + "\U0001F600");
}

TEST(GrantTypes, AreKeptIfSupported) {
  EXPECT_THAT(kept_grant_types({"refresh_token", "implicit", "authorization_code", "refresh_token"}),
              ElementsAre("authorization_code", "refresh_token"));
  EXPECT_THAT(kept_grant_types({"authorization_code"}), ElementsAre("authorization_code"));
}

TEST(GrantTypes, DefaultToAllIfNoneIsSupported) {
  EXPECT_THAT(kept_grant_types({}), ElementsAre("authorization_code", "refresh_token"));
  EXPECT_THAT(kept_grant_types({"implicit", ""}), ElementsAre("authorization_code", "refresh_token"));
}

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
