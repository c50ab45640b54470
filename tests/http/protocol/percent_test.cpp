#include "http/protocol/text_encoding.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::http::percent_test {

TEST(PercentDecoding, LeavesATextWithoutEscapesAsItIs) {
  EXPECT_EQ(percent_decoded(""), "");
  EXPECT_EQ(percent_decoded("a+b/ü"), "a+b/ü");
}

TEST(PercentDecoding, TakesEscapesAnywhereInEitherCase) {
  EXPECT_EQ(percent_decoded("%41b%2f%2Fc%20"), "Ab//c ");
  EXPECT_EQ(percent_decoded("%C3%bc"), "ü");
  EXPECT_EQ(percent_decoded("a%00b"), std::string("a\0b", 3));
  EXPECT_EQ(percent_decoded("%2541"), "%41") << "once, not twice";
}

TEST(PercentDecoding, RefusesBrokenEscapes) {
  for (const auto* text : {"%", "a%", "%4", "a%4", "%4g", "%g4", "%%41", "%41%"})
    EXPECT_EQ(percent_decoded(text), std::nullopt) << text;
}

TEST(PercentDecoding, RefusesWhatIsNoUtf8) {
  for (const auto* text : {"%ff", "%c3", "\xc3", "%c0%af", "%ed%a0%80"})
    EXPECT_EQ(percent_decoded(text), std::nullopt) << text;
}

TEST(PercentEncoding, ComesBackAsItWas) {
  std::string every;
  for (int c = 0; c < 128; ++c) every += static_cast<char>(c);
  every += "ü€";
  EXPECT_EQ(percent_decoded(percent_encoded(every)), every);
  EXPECT_EQ(percent_encoded("a b-._~/ü"), "a%20b-._~%2F%C3%BC");
}

} // namespace roost::http::percent_test
