#include "http/protocol/error.hpp"
#include "http/protocol/text_encoding.hpp"
#include "http/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace roost::http::testing::text_encoding_test {

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

TEST(Form, DecodesItsFields) {
  EXPECT_THAT(
      read_form("email=a%2Bb%40casaverde.example&note=two+words&name=Jos%C3%A9"),
      ElementsAre(Pair("email", "a+b@casaverde.example"), Pair("name", "José"), Pair("note", "two words")));
}

TEST(Form, MayBeEmptyAndHaveEmptyFields) {
  EXPECT_THAT(read_form(""), IsEmpty());
  EXPECT_THAT(read_form("a=&b"), ElementsAre(Pair("a", ""), Pair("b", "")));
  EXPECT_THAT(read_form("&a=1&&b=2&"), ElementsAre(Pair("a", "1"), Pair("b", "2")));
}

TEST(Form, SplitsAFieldAtTheFirstEqualsSign) {
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

TEST(Form, IgnoresWhatToolsAddAroundIt) {
  const auto form = read_form("\xef\xbb\xbf"
                              "a=1&b=%0A\r\n");
  EXPECT_EQ(form.at("a"), "1");
  EXPECT_EQ(form.at("b"), "\n");
}

TEST(Form, RefusesAZeroByte) { EXPECT_EQ(refusal_to("a=b%00c"), "Malformed form: a zero byte"); }

TEST(Form, RefusesAFieldWithoutAName) {
  EXPECT_EQ(refusal_to("=1"), "Malformed form: a field without a name");
}

TEST(Form, RefusesARepeatedField) {
  EXPECT_EQ(refusal_to("a=1&b=2&a=1"), "Malformed form: a must not be repeated");
  EXPECT_EQ(refusal_to("a=1&%61=2"), "Malformed form: a must not be repeated");
}

TEST(Form, HasLimits) {
  std::string fields;
  for (std::size_t i = 0; i < max_form_fields; ++i) fields += "f" + std::to_string(i) + "=&";
  EXPECT_EQ(read_form(fields).size(), max_form_fields);
  EXPECT_EQ(status_of(fields + "g="), 413U);
  EXPECT_EQ(status_of("a=" + std::string(max_form_size - 2, 'x')), 200U);
  EXPECT_EQ(status_of("a=" + std::string(max_form_size - 1, 'x')), 413U);
}

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

TEST(Query, KeepsTheOrderOfItsFields) {
  EXPECT_THAT(fields_of("b=1&a=2"), ElementsAre("b=1", "a=2"));
  EXPECT_THAT(fields_of("a=1&b=2&a=3"), ElementsAre("a=1|3", "b=2"));
  EXPECT_THAT(fields_of(""), IsEmpty());
  EXPECT_THAT(fields_of("&&"), IsEmpty());
}

TEST(Query, AcceptsFieldsWithoutAValueOrAName) {
  EXPECT_THAT(fields_of("a&b=&=c"), ElementsAre("a=", "b=", "=c"));
  EXPECT_THAT(fields_of("a=b=c"), ElementsAre("a=b=c"));
}

TEST(Query, DecodesValidEscapesOnly) {
  EXPECT_THAT(fields_of("a%20b=c+d%2B"), ElementsAre("a b=c d+"));
  EXPECT_THAT(fields_of("page%5Bgt%5D=1"), ElementsAre("page[gt]=1"));
  EXPECT_THAT(fields_of("a=%zz&b=%ff&c=100%"), ElementsAre("a=%zz", "b=%ff", "c=100%"));
}

TEST(JsNumber, ParsesLikeNumber) {
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

TEST(JsNumber, IsNaNForOtherTexts) {
  for (const auto* text : {"abc", "1a", "1 2", "0x", "0xg", "-0x10", "0b2", "0o8", ".", "e3", "1e", "1e+",
                           "infinity", "inf", "nan", "NaN", "1_000", "--1", "1,5"})
    EXPECT_TRUE(std::isnan(js_number(text))) << text;
}

TEST(Utf8, ReplacesMalformedSequences) {
  EXPECT_EQ(to_utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(to_utf8("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(to_utf8("a\xf0\x9f\x8f\xa0\xff"), "a\xf0\x9f\x8f\xa0\xef\xbf\xbd");
  EXPECT_EQ(to_utf8(""), "");
}

TEST(PercentDecoding, LeavesTextWithoutEscapesUnchanged) {
  EXPECT_EQ(percent_decoded(""), "");
  EXPECT_EQ(percent_decoded("a+b/ü"), "a+b/ü");
}

TEST(PercentDecoding, DecodesEscapesInEitherCase) {
  EXPECT_EQ(percent_decoded("%41b%2f%2Fc%20"), "Ab//c ");
  EXPECT_EQ(percent_decoded("%C3%bc"), "ü");
  EXPECT_EQ(percent_decoded("a%00b"), std::string("a\0b", 3));
  EXPECT_EQ(percent_decoded("%2541"), "%41") << "once, not twice";
}

TEST(PercentDecoding, RefusesMalformedEscapes) {
  for (const auto* text : {"%", "a%", "%4", "a%4", "%4g", "%g4", "%%41", "%41%"})
    EXPECT_EQ(percent_decoded(text), std::nullopt) << text;
}

TEST(PercentDecoding, RefusesInvalidUtf8) {
  for (const auto* text : {"%ff", "%c3", "\xc3", "%c0%af", "%ed%a0%80"})
    EXPECT_EQ(percent_decoded(text), std::nullopt) << text;
}

TEST(PercentEncoding, IsReversible) {
  std::string text;
  for (int c = 0; c < 128; ++c) text += static_cast<char>(c);
  text += "ü€";
  EXPECT_EQ(percent_decoded(percent_encoded(text)), text);
  EXPECT_EQ(percent_encoded("a b-._~/ü"), "a%20b-._~%2F%C3%BC");
}

} // namespace roost::http::testing::text_encoding_test
