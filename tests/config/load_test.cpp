#include "config/loading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::config::load_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<changed_value> changes_after(const std::vector<std::string>& set) {
  return changes_between(load(nothing_but_defaults()), load(with_set(set)));
}

TEST(ConfigurationChanges, AreEmptyForEqualConfigurations) { EXPECT_THAT(changes_after({}), IsEmpty()); }

TEST(ConfigurationChanges, ContainTheKeyAndBothValues) {
  const auto changes = changes_after({"scheduler.slow_run=\"1s\"", "log.level=\"warn\""});
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].key, "log.level");
  EXPECT_EQ(changes[0].before, "\"info\"");
  EXPECT_EQ(changes[0].now, "\"warn\"");
  EXPECT_EQ(changes[1].key, "scheduler.slow_run");
}

TEST(ConfigurationChanges, DetectAChangedPasswordButMaskIt) {
  const auto first = load(with_set({"store.url=\"postgresql://u:one@h/d\""}));
  const auto second = load(with_set({"store.url=\"postgresql://u:two@h/d\""}));
  const auto changes = changes_between(first, second);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].key, "store.url");
  EXPECT_EQ(changes[0].now.find("two"), std::string::npos);
}

TEST(ConfigurationChanges, CompareListsAsAWhole) {
  const auto changes = changes_after({"roles.Viewer=[\"bookings.view\"]"});
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].key, "roles");
  EXPECT_EQ(changes[0].now, "");
}

std::vector<std::string> idle_keys(std::vector<std::string> set) {
  std::vector<std::string> keys;
  for (const auto& each : load(with_set(std::move(set))).idle) keys.push_back(each.key);
  return keys;
}

TEST(IdleSettings, AreThoseThatThePolicyDoesNotUse) {
  EXPECT_THAT(idle_keys({"scheduler.max_threads=3", "scheduler.moderate_sleep_duration=70us"}),
              ElementsAre("scheduler.max_threads", "scheduler.moderate_sleep_duration"));
  EXPECT_THAT(idle_keys({"scheduler.policy=sharing", "scheduler.max_threads=3",
                         "scheduler.relaxed_steal_interval=2"}),
              ElementsAre("scheduler.relaxed_steal_interval"));
}

TEST(IdleSettings, ExcludeThoseThatThePolicyUses) {
  EXPECT_THAT(idle_keys({"scheduler.max_throughput=5"}), IsEmpty());
  EXPECT_THAT(idle_keys({"scheduler.policy=sharing", "scheduler.max_threads=3"}), IsEmpty());
  EXPECT_THAT(idle_keys({"scheduler.policy=stealing", "scheduler.moderate_sleep_duration=70us",
                         "scheduler.aggressive_poll_attempts=7"}),
              IsEmpty());
}

TEST(IdleSettings, ExcludeThoseSetToTheirDefaults) {
  EXPECT_THAT(
      idle_keys({"scheduler.moderate_sleep_duration=50us", "scheduler.relaxed_sleep_duration=10000us"}),
      IsEmpty());
}

TEST(IdleSettings, AreDescribedWithTheReason) {
  const auto text = describe(load(with_set({"scheduler.aggressive_poll_attempts=7"})));
  EXPECT_THAT(
      text,
      HasSubstr("aggressive_poll_attempts = 7  # from --set; has no effect: only policy stealing uses it\n"));
  EXPECT_THAT(text, Not(HasSubstr("max_threads = 0  # from default; has no effect")));
}

} // namespace roost::config::load_test
