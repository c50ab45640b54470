#include "domain/entered_text.hpp"

#include <gtest/gtest.h>

namespace roost::domain::entered_text_test {
TEST(EnteredText, LosesTheBlanksAroundIt) {
  for (const auto* pasted : {"a b", " a b\t\r\n", "\u00a0a b\u200b", "\ufeffa b\u2028", "\n\n a b"})
    EXPECT_EQ(without_outer_blanks(pasted), "a b") << pasted;
  EXPECT_EQ(without_outer_blanks(" \u00a0 "), "");
  EXPECT_EQ(without_outer_blanks(""), "");
  EXPECT_EQ(without_outer_blanks(" \xff "), "\xff");
}

TEST(EnteredText, IsReducedToItsDigits) {
  EXPECT_EQ(digits_of(" 459\u00a0314\n"), "459314");
  EXPECT_EQ(digits_of("x"), "");
  EXPECT_EQ(digits_of("１２３ ４５９"), "123459") << "full width";
  EXPECT_EQ(digits_of("٠٩۰۹"), "0909") << "Arabic and Persian";
  EXPECT_EQ(digits_of("1\xff"
                      "2²"),
            "12");
}

TEST(EnteredText, LosesOneByteOrderMark) {
  EXPECT_EQ(without_byte_order_mark("\xef\xbb\xbf"
                                    "a"),
            "a");
  EXPECT_EQ(without_byte_order_mark("a\xef\xbb\xbf"), "a\xef\xbb\xbf");
}

TEST(EnteredText, IsComposed) {
  EXPECT_EQ(composed("e\u0301 ascii"), "\u00e9 ascii");
  EXPECT_EQ(composed("\u1112\u1161\u11ab"), "\ud55c");
  EXPECT_EQ(composed("\ufb01"), "\ufb01") << "compatibility characters stay";
  EXPECT_EQ(composed("\xff"), "\xff");
}

} // namespace roost::domain::entered_text_test
