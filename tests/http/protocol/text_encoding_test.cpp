#include "http/protocol/text_encoding.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::http::text_encoding_test {

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

} // namespace roost::http::text_encoding_test
