#include "json/syntax_error.hpp"

#include <gtest/gtest.h>

namespace roost::json::syntax_error_test {

std::string error_in(std::string_view text) {
  const auto error = find_syntax_error(text);
  return error ? to_string(*error) : "none";
}

TEST(SyntaxError, NamesTheReasonTheLineAndTheColumn) {
  EXPECT_EQ(error_in(""), "The document is empty, at line 1, column 1");
  EXPECT_EQ(error_in("nul"), "Invalid value, at line 1, column 4");
  EXPECT_EQ(error_in("{\"a\":1,\n\n b}"), "Missing a name for object member, at line 3, column 2");
  EXPECT_EQ(error_in("{}\n{}"),
            "The document root must not be followed by other values, at line 2, column 1");
  EXPECT_EQ(error_in("[\"\xff\"]"), "Invalid encoding in string, at line 1, column 3");
}

TEST(SyntaxError, CountsCharactersNotBytes) {
  EXPECT_EQ(error_in("{\"é\": 1 x}"), "Missing a comma or '}' after an object member, at line 1, column 9");
  EXPECT_EQ(error_in("[\"é\",\n\"🏠\" 1]"),
            "Missing a comma or ']' after an array element, at line 2, column 5");
}

TEST(SyntaxError, MayBeHalfOfASurrogatePair) {
  for (const auto* text : {R"(["\udc00x"])", R"({"\udc00":1})", R"(["\ud83dx"])", R"(["\ud83d\ud83d"])"})
    EXPECT_TRUE(error_in(text).starts_with("The surrogate pair in string is invalid, at line 1, column "))
        << error_in(text);
  EXPECT_EQ(error_in(R"(["\ud83c\udfe0 \ud7ff 🏠"])"), "none");
}

TEST(SyntaxError, MayBeANulCharacter) {
  EXPECT_EQ(error_in(std::string_view("{}\0{}", 5)), "Invalid value, at line 1, column 3");
  EXPECT_EQ(error_in(std::string_view("{}\0", 3)), "Invalid value, at line 1, column 3");
}

TEST(SyntaxError, IsNotFoundInJsonOfAnyDepth) {
  EXPECT_EQ(error_in(R"({"a": [1, null, "b"]})"), "none");
  EXPECT_EQ(error_in("[]\n "), "none");
  EXPECT_EQ(error_in(std::string(100'000, '[') + std::string(100'000, ']')), "none");
}

} // namespace roost::json::syntax_error_test
