#include "domain/one_line.hpp"

#include <gtest/gtest.h>

namespace roost::domain::one_line_test {
TEST(OneLine, LeavesTextAsItIs) {
  EXPECT_EQ(one_line("Calle Mayor 1, 2º B"), "Calle Mayor 1, 2º B");
  EXPECT_EQ(one_line(""), "");
}

TEST(OneLine, MakesOneSpaceOfARunOfSpacesAndControlCharacters) {
  EXPECT_EQ(one_line("Ada  Marsh\r\nBcc: x@y.example"), "Ada Marsh Bcc: x@y.example");
  EXPECT_EQ(one_line({"a\tb\0c\x1b\x7f d", 9}), "a b c d");
}

TEST(OneLine, TakesOutWhatActsOnATerminalOrTurnsTheLine) {
  EXPECT_EQ(one_line("a\xc2\x9b"
                     "31mb"),
            "a 31mb"); // CSI as a C1 control
  EXPECT_EQ(one_line("1\xe2\x80\xae"
                     "fdp.exe"),
            "1 fdp.exe"); // right-to-left override
  EXPECT_EQ(one_line("a\xe2\x81\xa6\xe2\x80\xa8"
                     "b"),
            "a b");
  EXPECT_EQ(one_line("a\xff"
                     "b"),
            "a b"); // no UTF-8
}

TEST(OneLine, LeavesNothingAtTheEnds) {
  EXPECT_EQ(one_line("\n Room 2\t"), "Room 2");
  EXPECT_EQ(one_line(" \r\n\x01"), "");
}

} // namespace roost::domain::one_line_test
