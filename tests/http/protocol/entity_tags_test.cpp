#include "http/protocol/entity_tags.hpp"

#include <gmock/gmock.h>

#include <utility>

namespace roost::http::entity_tags_test {

TEST(EntityTag, IsStrongAndDeterministic) {
  EXPECT_THAT(entity_tag_of("a calendar"), ::testing::MatchesRegex("\"[0-9a-f]{32}\""));
  EXPECT_EQ(entity_tag_of("a calendar"), entity_tag_of("a calendar"));
  EXPECT_NE(entity_tag_of("a calendar"), entity_tag_of("a Calendar"));
  // The first half of the text's SHA-256, which does not change with a restart.
  EXPECT_EQ(entity_tag_of(""), "\"e3b0c44298fc1c149afbf4c8996fb924\"");
}

TEST(NotModified, RequiresAMatchingIfNoneMatch) {
  request plain;
  EXPECT_FALSE(not_modified(plain, "\"v1\""));
  plain.fields = {{"If-Match", "\"v1\""}, {"if-none-match", "\"v2\", W/\"v3\""}};
  EXPECT_FALSE(not_modified(plain, "\"v1\""));
  EXPECT_TRUE(not_modified(plain, "\"v2\""));
  EXPECT_TRUE(not_modified(plain, "\"v3\""));
}

if_match condition(std::string value) { return {true, std::move(value)}; }

TEST(Conditions, MatchTheTagsThatTheyList) {
  for (const auto* value : {R"("a")", R"("b", "a")", R"("b","a")", R"("b" , ,"a",)", R"("a" "b")"})
    EXPECT_TRUE(condition(value).matches(R"("a")")) << value;
  for (const auto* value : {"", "a", R"("b")", R"("A")", R"("aa")", R"("")", R"("b,a")", R"("b", a)"})
    EXPECT_FALSE(condition(value).matches(R"("a")")) << value;
  EXPECT_TRUE(condition(R"("b, c", "d")").matches(R"("b, c")")) << "a tag may contain a comma";
}

TEST(Conditions, DoNotMatchAWeakTag) {
  for (const auto* value : {R"(W/"a")", R"("b", W/"a")", R"(W/"b",W/"a")"})
    EXPECT_FALSE(condition(value).matches(R"("a")")) << value;
  EXPECT_TRUE(condition(R"(W/"a", "a")").matches(R"("a")"));
  EXPECT_TRUE(condition(R"("W/", "a")").matches(R"("a")")) << "W/ is the text of a tag";
  for (const auto* value : {R"(w/"a")", R"(W/W/"a")", R"(a"a")", R"(/"a")"})
    EXPECT_FALSE(condition(value).matches(R"("a")")) << value << " is no tag";
}

TEST(Conditions, MatchEveryTagIfTheyAreAnAsterisk) {
  EXPECT_TRUE(condition("*").matches(R"("a")"));
  for (const auto* value : {R"("*")", R"(*, "b")", "**"})
    EXPECT_FALSE(condition(value).matches(R"("a")")) << value;
}

TEST(Conditions, IgnoreATagWithoutItsSecondQuote) {
  for (const auto* value : {R"("a)", R"("b", "a)", R"(W/"a)", R"(")"})
    EXPECT_FALSE(condition(value).matches(R"("a")")) << value;
  EXPECT_TRUE(condition(R"("a", "b)").matches(R"("a")"));
}

TEST(Conditions, NameTheirFirstStrongTag) {
  EXPECT_EQ(condition(R"("b", "a")").first_tag(), R"("b")");
  EXPECT_EQ(condition(R"(W/"c", "b", "a")").first_tag(), R"("b")");
  EXPECT_EQ(condition(R"("")").first_tag(), R"("")");
  for (const auto* value : {"", "*", "a", R"(W/"a")", R"("a)"})
    EXPECT_EQ(condition(value).first_tag(), "") << value;
}

TEST(Conditions, MayHaveSeveralFields) {
  request req;
  req.fields = {{"If-Match", R"("a")"}, {"If-None-Match", R"("c")"}, {"if-match", R"(W/"x", "b")"}};
  const auto sent = if_match_of(req);
  EXPECT_TRUE(sent.is_present);
  EXPECT_EQ(sent.value, R"("a", W/"x", "b")");
  EXPECT_TRUE(sent.matches(R"("a")"));
  EXPECT_TRUE(sent.matches(R"("b")"));
  EXPECT_FALSE(sent.matches(R"("c")"));
}

TEST(Conditions, ArePresentEvenWithoutATag) {
  request req;
  EXPECT_FALSE(if_match_of(req).is_present);
  req.fields = {{"If-Match", ""}};
  EXPECT_TRUE(if_match_of(req).is_present);
  EXPECT_FALSE(if_match_of(req).matches(R"("a")"));
}

} // namespace roost::http::entity_tags_test
