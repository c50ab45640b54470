#include "domain/client_metadata.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::domain::client_metadata_test {

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

TEST(GrantTypes, AreKeptWhereTheyAreKnown) {
  EXPECT_THAT(kept_grant_types({"refresh_token", "implicit", "authorization_code", "refresh_token"}),
              ElementsAre("authorization_code", "refresh_token"));
  EXPECT_THAT(kept_grant_types({"authorization_code"}), ElementsAre("authorization_code"));
}

TEST(GrantTypes, AreAllOfThemWhereNoneIsKnown) {
  EXPECT_THAT(kept_grant_types({}), ElementsAre("authorization_code", "refresh_token"));
  EXPECT_THAT(kept_grant_types({"implicit", ""}), ElementsAre("authorization_code", "refresh_token"));
}

} // namespace roost::domain::client_metadata_test
