#include "actors/inventory/replication_position.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace roost::actors::replication_position_test {
using namespace std::chrono_literals;

TEST(FollowedStream, IsEmptyWhileMemoryHoldsNothing) {
  replication_position followed;
  EXPECT_TRUE(followed.is_empty());
  followed.reach({5, {}});
  EXPECT_FALSE(followed.is_empty());
  followed.forget();
  EXPECT_TRUE(followed.is_empty());
  EXPECT_EQ(followed.point().position, 0);
}

TEST(FollowedStream, IsBehindForAsLongAsMemoryHoldsNothing) {
  replication_position followed;
  std::this_thread::sleep_for(20ms);
  EXPECT_GE(followed.behind().since_followed, 20ms) << "nothing was ever loaded";
  followed.reach({5, {}});
  followed.see(5);
  EXPECT_LT(followed.behind().since_followed, 20ms);
  followed.forget();
  std::this_thread::sleep_for(20ms);
  EXPECT_GE(followed.behind().since_followed, 20ms) << "what was forgotten has not been loaded again";
  EXPECT_EQ(followed.behind().changes, 5);
}

TEST(FollowedStream, TellsOneMemoryFromTheNext) {
  replication_position followed;
  const auto first = followed.memory();
  followed.reach({5, {}});
  EXPECT_EQ(followed.memory(), first);
  followed.forget();
  EXPECT_NE(followed.memory(), first);
}

TEST(FollowedStream, CountsTheChangesThatMemoryDoesNotHoldYet) {
  replication_position followed;
  followed.reach({5, {}});
  followed.see(8);
  EXPECT_EQ(followed.behind().changes, 3);
  followed.reach({8, {}});
  EXPECT_EQ(followed.behind().changes, 0);
}

TEST(FollowedStream, KnowsWhenMemoryWasLevelWithTheStoreAndWhenItLooked) {
  replication_position followed;
  followed.reach({5, {}});
  followed.see(5);
  std::this_thread::sleep_for(20ms);
  followed.see(6);
  EXPECT_GE(followed.behind().since_followed, 20ms);
  EXPECT_LT(followed.behind().since_look, followed.behind().since_followed);
  followed.reach({6, {}});
  followed.see(6);
  EXPECT_LT(followed.behind().since_followed, 20ms);
}

} // namespace roost::actors::replication_position_test
