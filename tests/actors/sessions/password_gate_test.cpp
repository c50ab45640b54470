#include "actors/sessions/password_gate.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace roost::testing::password_gate_test {

TEST(SignInQueues, RunOneJobPerAddressInOrderOfArrival) {
  actors::sign_in_queues queues;
  std::vector<int> ran;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queues.add("a", [&ran, i] { ran.push_back(i); }));
  EXPECT_TRUE(queues.add("b", [&ran] { ran.push_back(9); }));
  EXPECT_EQ(ran, (std::vector{0, 9}));
  queues.done("a");
  queues.done("a");
  EXPECT_EQ(ran, (std::vector{0, 9, 1, 2}));
  queues.done("a");
  EXPECT_TRUE(queues.add("a", [&ran] { ran.push_back(4); }));
  EXPECT_EQ(ran.back(), 4) << "the queue was idle again";
}

TEST(SignInQueues, RejectJobsWhenFull) {
  actors::sign_in_queues queues;
  EXPECT_TRUE(queues.add("a", [] {}));
  for (int i = 0; i < 64; ++i) EXPECT_TRUE(queues.add("a", [] {})) << i;
  EXPECT_FALSE(queues.add("a", [] {}));
  EXPECT_TRUE(queues.add("b", [] {}));
}

} // namespace roost::testing::password_gate_test
