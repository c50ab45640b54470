#include "domain/date.hpp"
#include "http/office/conditions.hpp"

#include <gmock/gmock.h>

#include <initializer_list>
#include <utility>

/// Conditional writes of the office.
namespace roost::http::testing::conditions_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

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

/// Returns the refusal of a write of a resource with a first night and a note.
response outdated_response(std::string sent, std::string_view current) {
  const auto changed_at = domain::parse_timestamp("2026-11-27T10:15:00.000Z").value();
  const auto refusal =
      outdated_state("The block has changed since it was read", if_match{true, std::move(sent)}, current,
                     {"from", "note"}, {"ana@casaverde.example", changed_at});
  EXPECT_EQ(refusal.status, 412U);
  return to_response(refusal);
}

std::string outdated_body(std::string sent, std::string_view current) {
  return outdated_response(std::move(sent), current).body;
}

TEST(OutdatedStates, NameWhoChangedWhichMembersAndWhen) {
  EXPECT_EQ(outdated_body(tag_with({"a", "b"}), tag_with({"a", "x"})),
            R"({"statusCode":412,"message":"The block has changed since it was read",)"
            R"("error":"PreconditionFailedException","changedBy":"ana@casaverde.example",)"
            R"("changedAt":"2026-11-27T10:15:00.000Z","changed":["note"]})");
}

TEST(OutdatedStates, HaveTheCurrentTag) {
  const auto current = tag_with({"a", "x"});
  EXPECT_THAT(outdated_response(tag_with({"a", "b"}), current).fields,
              Contains(Pair(std::string("ETag"), current)));
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
