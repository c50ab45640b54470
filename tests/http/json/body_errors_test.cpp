#include "http/json/object_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::http::body_errors_test {
std::string fault_of(std::string_view text) { return json_fault(text, simdjson::TAPE_ERROR); }

TEST(JsonFault, NamesTheErrorItsLineAndColumn) {
  EXPECT_EQ(fault_of("{\"é\":1,\n\n b}"), "Missing a name for object member, at line 3, column 2");
  EXPECT_EQ(fault_of("{\"é\" 1}"), "Missing a colon after a name of object member, at line 1, column 6");
}

TEST(JsonFault, IsNotANumberThatNoDoubleCanHold) {
  EXPECT_EQ(fault_of("[1e400,\n1e400;]"),
            "Missing a comma or ']' after an array element, at line 2, column 6");
}

TEST(JsonFault, FindsANulCharacter) {
  EXPECT_EQ(fault_of(std::string_view("{}\0{}", 5)), "Invalid value, at line 1, column 3");
}

TEST(JsonFault, IsHalfOfASurrogatePair) {
  for (std::string body : {R"({"a":"\udc00x"})", R"({"\udc00":1})", R"({"a":"\ud83dx"})"}) try {
      const json_body read(body);
      FAIL() << body;
    } catch (const error& refused) {
      EXPECT_THAT(refused.what(), ::testing::HasSubstr("The surrogate pair in string is invalid, at line 1"));
    }
}

TEST(JsonFault, IsTheDepthIfTheTextIsValid) {
  const auto text = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_EQ(json_fault(text, simdjson::DEPTH_ERROR), "It is nested too deeply");
  EXPECT_EQ(json_fault(text, simdjson::CAPACITY), simdjson::error_message(simdjson::CAPACITY));
}

} // namespace roost::http::body_errors_test
