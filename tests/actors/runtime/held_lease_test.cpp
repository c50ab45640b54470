#include "actors/runtime/held_lease.hpp"
#include "support/time_namespace.hpp"

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

TEST(HeldLease, ExpiresWhileTheMachineIsSuspended) {
  constexpr int two_hours = 7200;
  actors::held_lease lease;
  lease.take(ours, later(), 5);
  const auto certainty = std::make_shared<store::lock_certainty>();
  certainty->extend_until(later());
  const auto has_expired = after_suspension(two_hours, [&] { return !lease.holds(); });
  if (!has_expired) GTEST_SKIP() << "only root can create a time namespace";
  EXPECT_TRUE(*has_expired);
  EXPECT_EQ(after_suspension(two_hours,
                             [&] { return !certainty->is_certain(store::lock_certainty::clock::now()); }),
            true);
  EXPECT_EQ(after_suspension(1, [&] { return lease.holds(); }), true);
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
  lease.follow(5, lease.generation());
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
  lease.follow(5, lease.generation());
  EXPECT_TRUE(lease.holds());
}

TEST(HeldLease, IsUnusableUntilMemoryHasReachedThePositionOfTheTakeover) {
  actors::held_lease lease;
  lease.invalidate();
  lease.take(ours, later(), 5);
  EXPECT_FALSE(lease.holds());
  EXPECT_EQ(lease.held(), ours) << "the follower needs it to get there";
  lease.follow(4, lease.generation());
  EXPECT_FALSE(lease.current());
  lease.follow(5, lease.generation());
  EXPECT_EQ(lease.current(), ours);
}

TEST(HeldLease, StaysUsableWhenRenewed) {
  actors::held_lease lease;
  lease.invalidate();
  lease.take(ours, later(), 5);
  lease.follow(5, lease.generation());
  lease.hold(ours, later());
  EXPECT_TRUE(lease.holds());
}

TEST(HeldLease, IsUnusableWhenRenewedAfterItsDeadlineUntilALaterPoll) {
  actors::held_lease lease;
  lease.invalidate();
  lease.take(ours, clock::now(), 5);
  const auto before = lease.generation();
  lease.follow(5, before);
  lease.hold(ours, later());
  EXPECT_TRUE(lease.held());
  EXPECT_FALSE(lease.holds());
  lease.follow(5, before);
  EXPECT_FALSE(lease.holds());
  lease.follow(5, lease.generation());
  EXPECT_TRUE(lease.holds());
}

TEST(HeldLease, IsUnusableWhenTakenAgainUntilALaterPoll) {
  actors::held_lease lease;
  lease.invalidate();
  lease.take(ours, later(), 5);
  const auto before = lease.generation();
  lease.follow(5, before);
  lease.take({"node-a", 8}, later(), 3);
  EXPECT_FALSE(lease.holds()) << "the store may have been replaced";
  lease.follow(9, before);
  EXPECT_FALSE(lease.holds()) << "the position is of the former store";
  lease.follow(3, lease.generation());
  EXPECT_TRUE(lease.holds());
}

TEST(HeldLease, IsUnusableWhileMemoryIsInDoubt) {
  actors::held_lease lease;
  lease.take(ours, later(), 5);
  lease.invalidate();
  EXPECT_FALSE(lease.holds());
  lease.follow(5, lease.generation());
  EXPECT_TRUE(lease.holds());
  lease.give_up();
  EXPECT_FALSE(lease.holds());
}

} // namespace roost::testing::held_lease_test
