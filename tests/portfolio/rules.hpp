#pragma once

#include "document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::portfolio {

/// A value, its place, and the message of its problem; empty if the value is valid.
struct rule {
  std::string pointer;
  std::string json;
  std::string text;
};

/// Inserts each value into the whole document separately, and compares the problems.
inline void expect_rules(const std::vector<rule>& rules) {
  for (const auto& [pointer, json, text] : rules) {
    const auto problems = problems_of(edited(whole_document, {{pointer, json}}));
    if (text.empty())
      EXPECT_THAT(problems, ::testing::IsEmpty()) << pointer << " = " << json;
    else
      EXPECT_THAT(problems, ::testing::ElementsAre(pointer + ": " + text))
          << pointer << " = " << json.substr(0, 100);
  }
}

inline std::string quoted(const std::string& text) { return '"' + text + '"'; }

inline std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

} // namespace roost::portfolio
