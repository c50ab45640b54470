#include "domain/storable_text.hpp"

#include <gtest/gtest.h>

namespace roost::domain::storable_text_test {

TEST(StorableText, IsUtf8) {
  for (const auto* text : {"", "Calle Mayor 1, 2º B", "\U0001f600\U0010ffff", "a\tb\n"})
    EXPECT_TRUE(is_storable(text)) << text;
  for (const auto* text : {"\x80", "a\xc3", "\xed\xb0\x80", "\xf4\x90\x80\x80"})
    EXPECT_FALSE(is_storable(text));
}

TEST(StorableText, HasNoNul) { EXPECT_FALSE(is_storable({"a\0b", 3})); }

} // namespace roost::domain::storable_text_test
