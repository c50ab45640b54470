#include "actors/runtime/held_lease.hpp"

#include <gtest/gtest.h>

namespace roost::testing::held_lease_test {
using namespace std::chrono_literals;
using clock = actors::held_lease::clock;

const store::lease ours{"node-a", 7};

clock::time_point later() { return clock::now() + 1h; }

TEST(HeldLease, IsHeldUntilItsDeadline) {
  actors::held_lease lease;
  EXPECT_FALSE(lease.holds());
  lease.take(ours, later(), 5);
  EXPECT_TRUE(lease.holds());
  EXPECT_EQ(lease.current(), ours);
  lease.hold(ours, clock::now());
  EXPECT_FALSE(lease.holds());
  EXPECT_FALSE(lease.held());
}

TEST(HeldLease, IsHeldOnlyWhileItsLockIsCertain) {
  actors::held_lease lease;
  const auto certainty = std::make_shared<store::lock_certainty>();
  lease.rest_on(certainty);
  lease.take(ours, later(), 5);
  EXPECT_FALSE(lease.holds());
  certainty->extend_until(later());
  EXPECT_TRUE(lease.holds());
  certainty->end();
  EXPECT_FALSE(lease.holds());
  EXPECT_FALSE(lease.held());
  lease.rest_on(nullptr);
  EXPECT_TRUE(lease.holds());
}

TEST(HeldLease, StaysUsableWithItsFirstLockButNotWithAnother) {
  actors::held_lease lease;
  lease.invalidate();
  lease.take(ours, later(), 5);
  lease.follow(5, lease.doubts());
  const auto lock = [] {
    auto certainty = std::make_shared<store::lock_certainty>();
    certainty->extend_until(later());
    return certainty;
  };
  const auto first = lock();
  lease.rest_on(first);
  EXPECT_TRUE(lease.holds());
  lease.rest_on(first);
  EXPECT_TRUE(lease.holds());
  lease.rest_on(lock());
  EXPECT_FALSE(lease.holds());
  lease.follow(5, lease.doubts());
  EXPECT_TRUE(lease.holds());
}

TEST(HeldLease, IsUnusableUntilMemoryHasReachedThePositionOfTheTakeover) {
  actors::held_lease lease;
  lease.invalidate();
  lease.take(ours, later(), 5);
  EXPECT_FALSE(lease.holds());
  EXPECT_EQ(lease.held(), ours) << "the follower needs it to get there";
  lease.follow(4, lease.doubts());
  EXPECT_FALSE(lease.current());
  lease.follow(5, lease.doubts());
  EXPECT_EQ(lease.current(), ours);
}

TEST(HeldLease, StaysUsableWhenRenewed) {
  actors::held_lease lease;
  lease.invalidate();
  lease.take(ours, later(), 5);
  lease.follow(5, lease.doubts());
  lease.hold(ours, later());
  EXPECT_TRUE(lease.holds());
}

TEST(HeldLease, IsUnusableWhenTakenAgainUntilALaterPoll) {
  actors::held_lease lease;
  lease.invalidate();
  lease.take(ours, later(), 5);
  const auto before = lease.doubts();
  lease.follow(5, before);
  lease.take({"node-a", 8}, later(), 3);
  EXPECT_FALSE(lease.holds()) << "the store may have been replaced";
  lease.follow(9, before);
  EXPECT_FALSE(lease.holds()) << "the position is of the former store";
  lease.follow(3, lease.doubts());
  EXPECT_TRUE(lease.holds());
}

TEST(HeldLease, IsUnusableWhileMemoryIsInDoubt) {
  actors::held_lease lease;
  lease.take(ours, later(), 5);
  lease.invalidate();
  EXPECT_FALSE(lease.holds());
  lease.follow(5, lease.doubts());
  EXPECT_TRUE(lease.holds());
  lease.give_up();
  EXPECT_FALSE(lease.holds());
}

} // namespace roost::testing::held_lease_test
