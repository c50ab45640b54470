#include "domain/date.hpp"
#include "http/office/conditions.hpp"

#include <gmock/gmock.h>

#include <initializer_list>
#include <utility>

/// Conditional writes of the office.
namespace roost::http::testing::conditions_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

std::string tag_with(std::initializer_list<std::string_view> members) {
  tag_builder builder;
  for (const auto member : members) builder.add(member);
  return builder.tag();
}

TEST(EntityTags, HaveSixCharactersOfEachMembersHash) {
  EXPECT_EQ(tag_with({}), R"("")");
  EXPECT_EQ(tag_with({""}), R"("47DEQp")") << "of the SHA-256 of an empty text";
  EXPECT_THAT(tag_with({"a", "b", "c"}), ::testing::MatchesRegex("\"[A-Za-z0-9_-]{18}\""));
}

TEST(EntityTags, DependOnEachMemberAndItsPosition) {
  EXPECT_EQ(tag_with({"a", "b"}), tag_with({"a", "b"}));
  EXPECT_NE(tag_with({"a", "b"}), tag_with({"a", "c"}));
  EXPECT_NE(tag_with({"a", "b"}), tag_with({"b", "a"}));
  EXPECT_NE(tag_with({"a", ""}), tag_with({"", "a"}));
}

TEST(DifferingMembers, HaveOtherValues) {
  const auto known = tag_with({"a", "b", "c"});
  EXPECT_THAT(differing_members(known, known, 3), IsEmpty());
  EXPECT_THAT(differing_members(known, tag_with({"a", "x", "c"}), 3), ElementsAre(1U));
  EXPECT_THAT(differing_members(known, tag_with({"x", "b", "x"}), 3), ElementsAre(0U, 2U));
}

TEST(DifferingMembers, AreAllMembersIfTheTagIsNotOfSuchAResource) {
  const auto current = tag_with({"a", "b", "c"});
  for (const auto& known :
       {std::string{}, std::string{R"("a")"}, tag_with({"a", "b"}), tag_with({"a", "b", "c", "d"})})
    EXPECT_THAT(differing_members(known, current, 3), ElementsAre(0U, 1U, 2U)) << known;
  EXPECT_THAT(differing_members("", tag_with({}), 0), IsEmpty());
}

/// Returns the body of the refusal of a write of a resource with a first night and a note.
std::string outdated_body(std::string sent, std::string_view current) {
  const auto changed_at = domain::parse_timestamp("2026-11-27T10:15:00.000Z").value();
  const auto refusal = outdated_state("The block has changed since it was read", condition(std::move(sent)),
                                      current, {"from", "note"}, {"ana@casaverde.example", changed_at});
  EXPECT_EQ(refusal.status, 412U);
  return to_response(refusal).body;
}

TEST(OutdatedStates, NameWhoChangedWhichMembersAndWhen) {
  EXPECT_EQ(outdated_body(tag_with({"a", "b"}), tag_with({"a", "x"})),
            R"({"statusCode":412,"message":"The block has changed since it was read",)"
            R"("error":"PreconditionFailedException","changedBy":"ana@casaverde.example",)"
            R"("changedAt":"2026-11-27T10:15:00.000Z","changed":["note"]})");
}

TEST(OutdatedStates, DifferFromTheFirstTagOfTheCondition) {
  const auto current = tag_with({"x", "b"});
  EXPECT_THAT(outdated_body(tag_with({"a", "b"}) + ", " + tag_with({"a", "c"}), current),
              HasSubstr(R"("changed":["from"])"));
}

TEST(OutdatedStates, DifferInAllMembersFromAnUnknownTag) {
  for (const auto* sent : {R"("other")", R"(W/"other")", ""})
    EXPECT_THAT(outdated_body(sent, tag_with({"a", "b"})), HasSubstr(R"("changed":["from","note"])")) << sent;
}

} // namespace roost::http::testing::conditions_test
