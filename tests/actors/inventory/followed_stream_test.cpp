#include "actors/inventory/followed_stream.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace roost::actors::followed_stream_test {
using namespace std::chrono_literals;

TEST(FollowedStream, IsBehindNothingWhileMemoryHoldsNothing) {
  followed_stream followed;
  EXPECT_FALSE(followed.behind());
  followed.reach({5, {}});
  EXPECT_TRUE(followed.behind());
  followed.forget();
  EXPECT_FALSE(followed.behind());
  EXPECT_EQ(followed.point().position, 0);
}

TEST(FollowedStream, CountsTheChangesThatMemoryDoesNotHoldYet) {
  followed_stream followed;
  followed.reach({5, {}});
  followed.see(8);
  EXPECT_EQ(followed.behind()->changes, 3);
  followed.reach({8, {}});
  EXPECT_EQ(followed.behind()->changes, 0);
}

TEST(FollowedStream, KnowsWhenMemoryWasLevelWithTheStoreAndWhenItLooked) {
  followed_stream followed;
  followed.reach({5, {}});
  followed.see(5);
  std::this_thread::sleep_for(20ms);
  followed.see(6);
  EXPECT_GE(followed.behind()->since_followed, 20ms);
  EXPECT_LT(followed.behind()->since_look, followed.behind()->since_followed);
  followed.reach({6, {}});
  followed.see(6);
  EXPECT_LT(followed.behind()->since_followed, 20ms);
}

} // namespace roost::actors::followed_stream_test
