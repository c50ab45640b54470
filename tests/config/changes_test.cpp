#include "config/changes.hpp"
#include "config/loading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::config::changes_test {

using ::testing::IsEmpty;

std::vector<changed_value> after(const std::vector<std::string>& set) {
  return changes_between(load(nothing_but_defaults()), load(with_set(set)));
}

TEST(Changes, AreNoneBetweenEqualConfigurations) { EXPECT_THAT(after({}), IsEmpty()); }

TEST(Changes, NameTheKeyAndBothValues) {
  const auto changes = after({"scheduler.slow_run=\"1s\"", "log.level=\"warn\""});
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].key, "log.level");
  EXPECT_EQ(changes[0].before, "\"info\"");
  EXPECT_EQ(changes[0].now, "\"warn\"");
  EXPECT_EQ(changes[1].key, "scheduler.slow_run");
}

TEST(Changes, SeeAPasswordThatTheirTextsMask) {
  const auto first = load(with_set({"store.url=\"postgresql://u:one@h/d\""}));
  const auto second = load(with_set({"store.url=\"postgresql://u:two@h/d\""}));
  const auto changes = changes_between(first, second);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].key, "store.url");
  EXPECT_EQ(changes[0].now.find("two"), std::string::npos);
}

TEST(Changes, TakeAListAsAWhole) {
  const auto changes = after({"roles.Viewer=[\"bookings.view\"]"});
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].key, "roles");
  EXPECT_EQ(changes[0].now, "");
}

} // namespace roost::config::changes_test
