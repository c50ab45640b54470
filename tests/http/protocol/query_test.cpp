#include "http/protocol/urlencoded.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace roost::http::query_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Each field as `name=value|value`.
std::vector<std::string> fields_of(std::string_view query) {
  std::vector<std::string> texts;
  for (const auto& field : read_query(query)) {
    std::string text = field.name + "=";
    for (const auto& value : field.values) text += (&value == &field.values.front() ? "" : "|") + value;
    texts.push_back(std::move(text));
  }
  return texts;
}

TEST(Query, HasItsFieldsInTheOrderInWhichTheyCome) {
  EXPECT_THAT(fields_of("b=1&a=2"), ElementsAre("b=1", "a=2"));
  EXPECT_THAT(fields_of("a=1&b=2&a=3"), ElementsAre("a=1|3", "b=2"));
  EXPECT_THAT(fields_of(""), IsEmpty());
  EXPECT_THAT(fields_of("&&"), IsEmpty());
}

TEST(Query, TakesAFieldWithoutAValueOrAName) {
  EXPECT_THAT(fields_of("a&b=&=c"), ElementsAre("a=", "b=", "=c"));
  EXPECT_THAT(fields_of("a=b=c"), ElementsAre("a=b=c"));
}

TEST(Query, IsDecodedWhereItCanBe) {
  EXPECT_THAT(fields_of("a%20b=c+d%2B"), ElementsAre("a b=c d+"));
  EXPECT_THAT(fields_of("page%5Bgt%5D=1"), ElementsAre("page[gt]=1"));
  EXPECT_THAT(fields_of("a=%zz&b=%ff&c=100%"), ElementsAre("a=%zz", "b=%ff", "c=100%"));
}

TEST(JsNumber, ReadsWhatNumberReads) {
  const std::vector<std::pair<std::string_view, double>> known{{"", 0},
                                                               {"  ", 0},
                                                               {"16", 16},
                                                               {" 16\t", 16},
                                                               {"+16", 16},
                                                               {"-1", -1},
                                                               {"0x10", 16},
                                                               {"0XfF", 255},
                                                               {"0b101", 5},
                                                               {"0o17", 15},
                                                               {"1.", 1},
                                                               {".5", 0.5},
                                                               {"1e3", 1000},
                                                               {"1E+3", 1000},
                                                               {"010", 10},
                                                               {"1e-2", 0.01},
                                                               {"1e400", HUGE_VAL},
                                                               {"-Infinity", -HUGE_VAL},
                                                               {"Infinity", HUGE_VAL}};
  for (const auto& [text, value] : known) EXPECT_EQ(js_number(text), value) << text;
}

TEST(JsNumber, IsNotANumberOtherwise) {
  for (const auto* text : {"abc", "1a", "1 2", "0x", "0xg", "-0x10", "0b2", "0o8", ".", "e3", "1e", "1e+",
                           "infinity", "inf", "nan", "NaN", "1_000", "--1", "1,5"})
    EXPECT_TRUE(std::isnan(js_number(text))) << text;
}

} // namespace roost::http::query_test
