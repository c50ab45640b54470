#include "http/protocol/message.hpp"
#include "http/protocol/representation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::http::entity_tag_test {
TEST(EntityTag, IsStrongAndTheSameForTheSameText) {
  EXPECT_THAT(entity_tag_of("a calendar"), ::testing::MatchesRegex("\"[0-9a-f]{32}\""));
  EXPECT_EQ(entity_tag_of("a calendar"), entity_tag_of("a calendar"));
  EXPECT_NE(entity_tag_of("a calendar"), entity_tag_of("a Calendar"));
  // The first half of the text's SHA-256, so that it outlives a restart.
  EXPECT_EQ(entity_tag_of(""), "\"e3b0c44298fc1c149afbf4c8996fb924\"");
}

TEST(EntityTag, IsAskedForByNobodyWhoDoesNotSayIt) {
  request plain;
  EXPECT_FALSE(not_modified(plain, "\"v1\""));
  plain.fields = {{"If-Match", "\"v1\""}, {"if-none-match", "\"v2\", W/\"v3\""}};
  EXPECT_FALSE(not_modified(plain, "\"v1\""));
  EXPECT_TRUE(not_modified(plain, "\"v2\""));
  EXPECT_TRUE(not_modified(plain, "\"v3\""));
}

} // namespace roost::http::entity_tag_test
