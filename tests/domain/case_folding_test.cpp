#include "domain/case_folding.hpp"

#include <gtest/gtest.h>

#include <array>

namespace roost::domain::case_folding_test {
TEST(FoldedCase, IsTheSameForTextsThatDifferInLetterCaseAlone) {
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"Feeds@House.example", "feeds@HOUSE.example"},
           {"MÜLLER@häuser.example", "müller@HÄUSER.example"},
           {"straße@house.example", "STRASSE@house.example"},
           {"ΟΔΥΣΣΕΎΣ@house.example", "οδυσσεύς@house.example"}, // a sigma at the end, too
           {"ИВАН@дом.example", "иван@ДОМ.example"},
           {"ﬁnn@house.example", "FINN@house.example"}, // a ligature
           {"ẞ", "ss"}})
    EXPECT_EQ(folded_case(one), folded_case(other)) << one;
}

TEST(FoldedCase, KeepsOtherTextsApart) {
  EXPECT_NE(folded_case("muller@house.example"), folded_case("müller@house.example"));
  EXPECT_NE(folded_case("i"), folded_case("ı"));
  EXPECT_NE(folded_case("a"), folded_case("а")); // a Cyrillic one
  EXPECT_EQ(folded_case(""), "");
  EXPECT_EQ(folded_case("Łódź-1_2"), "łódź-1_2");
}

TEST(FoldedCase, LeavesTheRestOfAnAddressWithLettersBeyondAsciiAsItIs) {
  EXPECT_EQ(folded_case("É²½@ﬀ…日本.example"), "é²½@ff…日本.example");
  EXPECT_EQ(folded_case(std::string_view("É\0A", 4)), std::string_view("é\0a", 4));
}

TEST(FoldedCase, OfWhatIsNoUtf8IsTheTextItself) {
  for (const std::string_view broken : {"A\x80", "\xc3", "É\xff", "\xed\xa0\x80 A"})
    EXPECT_EQ(folded_case(broken), broken);
}

} // namespace roost::domain::case_folding_test
