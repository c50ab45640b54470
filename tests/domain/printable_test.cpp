#include "domain/printable.hpp"

#include <gtest/gtest.h>

namespace roost::domain::printable_test {
TEST(PrintableSequence, IsAsLongAsTheCharacterAtTheFront) {
  EXPECT_EQ(printable_sequence("\u00e9t\u00e9"), 2U);
  EXPECT_EQ(printable_sequence("\u20ac"), 3U);
  EXPECT_EQ(printable_sequence("\U0001f600"), 4U);
  EXPECT_EQ(printable_sequence("\u00a0"), 2U) << "the first after the C1 controls";
}

TEST(PrintableSequence, IsNoneForWhatActs) {
  for (const auto* text :
       {"\xc2\x80", "\xc2\x9f", "\u2028", "\u2029", "\u202a", "\u202e", "\u2066", "\u2069"})
    EXPECT_EQ(printable_sequence(text), 0U) << text;
  for (const auto* text : {"\u2027", "\u202f", "\u2065", "\u206a", "\u200f"})
    EXPECT_EQ(printable_sequence(text), 3U) << text;
}

TEST(PrintableSequence, IsNoneForWhatIsNoUtf8) {
  for (const auto* text : {"", "\x80", "\xc1\xbf", "\xc3", "\xe2\x82", "\xe0\x9f\xbf", "\xed\xa0\x80",
                           "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_EQ(printable_sequence(text), 0U);
}

} // namespace roost::domain::printable_test
