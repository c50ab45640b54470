#include "actors/bookings/outdated_accounts.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace roost::testing::outdated_accounts_test {
using namespace std::chrono_literals;

/// An account whose decisions were outdated five times in a row.
struct OutdatedAccounts : ::testing::Test {
  OutdatedAccounts() {
    const std::vector account{domain::uuid{}};
    for (int i = 0; i < 5; ++i) accounts.add(account);
  }

  actors::outdated_accounts accounts;
  const actors::outdated_accounts::clock::time_point start = actors::outdated_accounts::clock::now();
};

TEST_F(OutdatedAccounts, NeedALockEveryTwoSecondsAtMost) {
  EXPECT_TRUE(accounts.need_lock(start));
  accounts.lock_ended(start + 10ms);
  EXPECT_FALSE(accounts.need_lock(start + 1'999ms));
  EXPECT_TRUE(accounts.need_lock(start + 2s));
}

TEST_F(OutdatedAccounts, NeedNoLockForNineTimesAsLongAsTheLastOneWasHeld) {
  EXPECT_TRUE(accounts.need_lock(start));
  accounts.lock_ended(start + 1'500ms);
  EXPECT_FALSE(accounts.need_lock(start + 1'500ms + 9 * 1'500ms - 1ms));
  EXPECT_TRUE(accounts.need_lock(start + 1'500ms + 9 * 1'500ms));
}

TEST_F(OutdatedAccounts, NeedNoLockOnceADecisionIsWritten) {
  accounts.remove(std::vector{domain::uuid{}});
  EXPECT_FALSE(accounts.need_lock(start));
}

} // namespace roost::testing::outdated_accounts_test
