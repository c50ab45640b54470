#pragma once

#include "document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace roost::portfolio {

/// A value at a place, and what is said of it; empty when it is good.
struct rule {
  std::string pointer;
  std::string json;
  std::string text;
};

/// Puts each value alone into the whole document.
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
