#include "config/loading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::config::idle_settings_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> idle_keys(std::vector<std::string> set) {
  std::vector<std::string> keys;
  for (const auto& each : load(with_set(std::move(set))).idle) keys.push_back(each.key);
  return keys;
}

TEST(SettingsOfTheScheduler, ThatThePolicyHasNoUseForAreTold) {
  EXPECT_THAT(idle_keys({"scheduler.max_threads=3", "scheduler.moderate_sleep_duration=70us"}),
              ElementsAre("scheduler.max_threads", "scheduler.moderate_sleep_duration"));
  EXPECT_THAT(idle_keys({"scheduler.policy=sharing", "scheduler.max_threads=3",
                         "scheduler.relaxed_steal_interval=2"}),
              ElementsAre("scheduler.relaxed_steal_interval"));
}

TEST(SettingsOfTheScheduler, ThatThePolicyUsesAreNot) {
  EXPECT_THAT(idle_keys({"scheduler.max_throughput=5"}), IsEmpty());
  EXPECT_THAT(idle_keys({"scheduler.policy=sharing", "scheduler.max_threads=3"}), IsEmpty());
  EXPECT_THAT(idle_keys({"scheduler.policy=stealing", "scheduler.moderate_sleep_duration=70us",
                         "scheduler.aggressive_poll_attempts=7"}),
              IsEmpty());
}

TEST(SettingsOfTheScheduler, AtTheirDefaultsAreNotToldOfWhereverTheyAreSet) {
  EXPECT_THAT(
      idle_keys({"scheduler.moderate_sleep_duration=50us", "scheduler.relaxed_sleep_duration=10000us"}),
      IsEmpty());
}

TEST(SettingsOfTheScheduler, AreShownWithTheReason) {
  const auto text = describe(load(with_set({"scheduler.aggressive_poll_attempts=7"})));
  EXPECT_THAT(
      text,
      HasSubstr("aggressive_poll_attempts = 7  # from --set; does nothing: only policy stealing uses it\n"));
  EXPECT_THAT(text, Not(HasSubstr("max_threads = 0  # from default; does nothing")));
}

} // namespace
} // namespace roost::config::idle_settings_test
