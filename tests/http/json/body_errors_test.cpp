#include "http/json/object_reader.hpp"

#include <gtest/gtest.h>

namespace roost::http::body_errors_test {
TEST(JsonFault, NamesTheErrorItsLineAndColumn) {
  EXPECT_EQ(json_fault(""), "The document is empty, at line 1, column 1");
  EXPECT_EQ(json_fault("nul"), "Invalid value, at line 1, column 4");
  EXPECT_EQ(json_fault("{\"a\":1,\n\n b}"), "Missing a name for object member, at line 3, column 2");
  EXPECT_EQ(json_fault("{}\n{}"),
            "The document root must not be followed by other values, at line 2, column 1");
  EXPECT_EQ(json_fault("[1e400]"), "Number too big to be stored in double, at line 1, column 2");
  EXPECT_EQ(json_fault("[\"\xff\"]"), "Invalid encoding in string, at line 1, column 3");
}

TEST(JsonFault, FindsANulCharacter) {
  EXPECT_EQ(json_fault(std::string_view("{}\0{}", 5)), "Invalid value, at line 1, column 3");
}

TEST(JsonFault, IsTheDepthIfTheTextIsValid) {
  EXPECT_EQ(json_fault(std::string(100'000, '[') + std::string(100'000, ']')), "It is nested too deeply");
}

} // namespace roost::http::body_errors_test
