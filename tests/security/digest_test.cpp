#include "security/digest.hpp"

#include <gtest/gtest.h>

namespace roost::security::digest_test {

using namespace std::string_view_literals;

TEST(Sha256, MatchesTheStandardsExamples) {
  EXPECT_EQ(to_hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hexadecimal, RoundTrips) {
  const auto digest = sha256("abc");
  const auto bytes = from_hex(to_hex(digest));
  ASSERT_TRUE(bytes);
  EXPECT_EQ(*bytes, std::string(digest.begin(), digest.end()));
  EXPECT_EQ(from_hex("00fF"), "\0\xff"sv);
  EXPECT_EQ(from_hex(""), "");
}

TEST(Hexadecimal, RequiresPairsOfDigits) {
  for (const auto text : {"0"sv, "0g"sv, "g0"sv, "0x"sv, " 0"sv, "00 "sv, "\0\0"sv})
    EXPECT_FALSE(from_hex(text)) << text;
}

// RFC 4648, 10.
TEST(Base64Url, HasNoPadding) {
  EXPECT_EQ(to_base64url(""sv), "");
  EXPECT_EQ(to_base64url("f"sv), "Zg");
  EXPECT_EQ(to_base64url("fo"sv), "Zm8");
  EXPECT_EQ(to_base64url("foo"sv), "Zm9v");
  EXPECT_EQ(to_base64url("foobar"sv), "Zm9vYmFy");
}

TEST(Base64Url, UsesCharactersAllowedInUrls) { EXPECT_EQ(to_base64url("\xfb\xff\xbf"sv), "-_-_"); }

TEST(ConstantTimeComparison, DetectsDifferences) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("secret", "secret"));
  EXPECT_FALSE(equal_in_constant_time("secret", "secreT"));
  EXPECT_FALSE(equal_in_constant_time("secret", "secre"));
  EXPECT_FALSE(equal_in_constant_time("", "s"));
  EXPECT_FALSE(equal_in_constant_time("a\0b"sv, "a\0c"sv));
}

} // namespace roost::security::digest_test
