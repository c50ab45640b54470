// Properties of every key with a fixed name.
#include "config/loading.hpp"
#include "config/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace roost::config::rules_test {

std::vector<std::string> every_key() {
  std::vector<std::string> names;
  for (const auto& rule : setting_rules()) names.push_back(rule.name());
  return names;
}

const rule<settings>& rule_of(const std::string& name) {
  return *std::ranges::find_if(setting_rules(),
                               [&](const rule<settings>& rule) { return rule.name() == name; });
}

/// Returns a value of another type than the default: a number in place of a text or a list.
std::string wrong_value(const rule<settings>& rule) {
  const auto value =
      effective(load(nothing_but_defaults()), std::string(rule.section), std::string(rule.key)).value;
  return value.front() >= '0' && value.front() <= '9' ? "\"many\"" : "7";
}

std::string variable_of(const rule<settings>& rule) {
  std::string name = "ROOST_" + std::string(rule.section) + '_' + std::string(rule.key);
  std::ranges::transform(name, name.begin(), [](char c) {
    return c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return name;
}

class EveryKey : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryKey, HasABuiltInDefaultAndALineOfHelp) {
  const auto& rule = rule_of(GetParam());
  const auto value =
      effective(load(nothing_but_defaults()), std::string(rule.section), std::string(rule.key));
  EXPECT_FALSE(value.value.empty());
  EXPECT_EQ(value.origin, "default");
  EXPECT_FALSE(value.help.empty());
}

TEST_P(EveryKey, RefusesAValueOfTheWrongType) {
  const auto problems = problems_of(with_set({GetParam() + '=' + wrong_value(rule_of(GetParam()))}));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].where, "--set");
  EXPECT_EQ(problems[0].key, GetParam());
  EXPECT_THAT(problems[0].text, ::testing::HasSubstr("; write for example "));
}

TEST_P(EveryKey, RefusesATable) {
  const auto problems = problems_of(with_set({GetParam() + "={a = 1}"}));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_THAT(problems[0].text, ::testing::StartsWith("a table is not "));
}

TEST_P(EveryKey, IsReadFromItsVariableOfTheEnvironment) {
  const auto& rule = rule_of(GetParam());
  const std::string section(rule.section);
  const std::string key(rule.key);
  auto options = nothing_but_defaults();
  const auto before = effective(load(options), section, key);
  options.environment = {{variable_of(rule), before.value}};
  const auto after = effective(load(options), section, key);
  EXPECT_EQ(after.value, before.value);
  EXPECT_EQ(after.origin, "environment");
}

INSTANTIATE_TEST_SUITE_P(Configuration, EveryKey, ::testing::ValuesIn(every_key()));

} // namespace roost::config::rules_test
