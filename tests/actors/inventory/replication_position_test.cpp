#include "actors/inventory/replication_position.hpp"

#include <gtest/gtest.h>

namespace roost::actors::replication_position_test {
using namespace std::chrono_literals;

/// A position on a clock that the test advances.
class ReplicationPosition : public ::testing::Test {
protected:
  replication_position::clock::time_point now{1h};
  replication_position position{[this] { return now; }};
};

TEST_F(ReplicationPosition, IsEmptyUntilItIsReached) {
  EXPECT_TRUE(position.is_empty());
  position.reach({5, {}});
  EXPECT_FALSE(position.is_empty());
  position.forget();
  EXPECT_TRUE(position.is_empty());
  EXPECT_EQ(position.point().position, 0);
}

TEST_F(ReplicationPosition, IsBehindWhileMemoryIsEmpty) {
  now += 20ms;
  EXPECT_EQ(position.behind().since_followed, 20ms) << "nothing was loaded yet";
  position.reach({5, {}});
  position.see(5);
  EXPECT_EQ(position.behind().since_followed, 0ms);
  position.forget();
  now += 20ms;
  EXPECT_EQ(position.behind().since_followed, 20ms) << "memory was not loaded again";
  EXPECT_EQ(position.behind().changes, 5);
}

TEST_F(ReplicationPosition, CountsGenerationsOfMemory) {
  const auto first = position.generation();
  position.reach({5, {}});
  EXPECT_EQ(position.generation(), first);
  position.forget();
  EXPECT_NE(position.generation(), first);
}

TEST_F(ReplicationPosition, CountsMissingChanges) {
  position.reach({5, {}});
  position.see(8);
  EXPECT_EQ(position.behind().changes, 3);
  position.reach({8, {}});
  EXPECT_EQ(position.behind().changes, 0);
}

TEST_F(ReplicationPosition, KnowsWhenMemoryWasCurrentAndWhenItPolled) {
  position.reach({5, {}});
  position.see(5);
  now += 20ms;
  position.see(6);
  now += 1ms;
  EXPECT_EQ(position.behind().since_followed, 21ms);
  EXPECT_EQ(position.behind().since_poll, 1ms);
  position.reach({6, {}});
  position.see(6);
  EXPECT_EQ(position.behind().since_followed, 0ms);
}

} // namespace roost::actors::replication_position_test
