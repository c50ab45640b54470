#include "http/protocol/error.hpp"
#include "http/protocol/urlencoded.hpp"
#include "http/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::http::testing::form_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string refusal_to(std::string form) {
  return refusal_of([](std::string& text) { read_form(text); }, std::move(form));
}

unsigned status_of(const std::string& form) {
  try {
    read_form(form);
    return 200;
  } catch (const error& refusal) {
    return refusal.status;
  }
}

TEST(Form, HasItsFieldsDecoded) {
  EXPECT_THAT(
      read_form("email=a%2Bb%40casaverde.example&note=two+words&name=Jos%C3%A9"),
      ElementsAre(Pair("email", "a+b@casaverde.example"), Pair("name", "José"), Pair("note", "two words")));
}

TEST(Form, MayBeEmptyAndHaveEmptyFields) {
  EXPECT_THAT(read_form(""), IsEmpty());
  EXPECT_THAT(read_form("a=&b"), ElementsAre(Pair("a", ""), Pair("b", "")));
  EXPECT_THAT(read_form("&a=1&&b=2&"), ElementsAre(Pair("a", "1"), Pair("b", "2")));
}

TEST(Form, TakesEverythingAfterTheFirstEqualsSignAsTheValue) {
  EXPECT_THAT(read_form("a=b=c%3Dd"), ElementsAre(Pair("a", "b=c=d")));
}

TEST(Form, RefusesABrokenEscape) {
  for (const auto* text : {"a=%", "a=%4", "a=%zz", "a=%4g", "%=1", "a=1&b=%2"})
    EXPECT_EQ(refusal_to(text), "Malformed form: broken percent-encoding") << text;
}

TEST(Form, RefusesTextThatIsNotUtf8) {
  for (const auto* text : {"a=%ff", "a=%c3", "a=\xff", "%c3%28=1", "a=%ed%a0%80", "a=%c0%80"})
    EXPECT_EQ(refusal_to(text), "Malformed form: broken percent-encoding") << text;
}

TEST(Form, RefusesAZeroByte) { EXPECT_EQ(refusal_to("a=b%00c"), "Malformed form: a zero byte"); }

TEST(Form, RefusesAFieldWithoutAName) {
  EXPECT_EQ(refusal_to("=1"), "Malformed form: a field without a name");
}

TEST(Form, RefusesAFieldThatComesTwice) {
  EXPECT_EQ(refusal_to("a=1&b=2&a=1"), "Malformed form: a comes twice");
  EXPECT_EQ(refusal_to("a=1&%61=2"), "Malformed form: a comes twice");
}

TEST(Form, HasBounds) {
  std::string fields;
  for (std::size_t i = 0; i < max_form_fields; ++i) fields += "f" + std::to_string(i) + "=&";
  EXPECT_EQ(read_form(fields).size(), max_form_fields);
  EXPECT_EQ(status_of(fields + "g="), 413U);
  EXPECT_EQ(status_of("a=" + std::string(longest_form - 2, 'x')), 200U);
  EXPECT_EQ(status_of("a=" + std::string(longest_form - 1, 'x')), 413U);
}

} // namespace roost::http::testing::form_test
