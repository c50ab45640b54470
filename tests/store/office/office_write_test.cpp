#include "store/office/office_write.hpp"

#include <gtest/gtest.h>

namespace roost::testing::office_write_test {
using store::constraint_violated;
using store::violation;

/// Returns how often a write ran that the database refuses, at most `refusals` times.
int runs_until_accepted(violation kind, int refusals) {
  int runs = 0;
  return store::with_retries([&] {
    if (runs++ < refusals) throw constraint_violated(kind, "constraint");
    return runs;
  });
}

TEST(OfficeWrites, RunAgainIfAnotherWriteConflictsWithThem) {
  for (const auto kind : {violation::overlapping_stay, violation::conflicting_row})
    EXPECT_EQ(runs_until_accepted(kind, 2), 3) << "they see it then, and are refused or archive";
}

TEST(OfficeWrites, FailIfTheConflictStays) {
  EXPECT_THROW(runs_until_accepted(violation::conflicting_row, 3), constraint_violated);
}

TEST(OfficeWrites, FailAtOnceIfTheDatabaseCannotHoldAValue) {
  EXPECT_THROW(runs_until_accepted(violation::invalid_value, 1), constraint_violated);
}

TEST(OfficeWrites, WaitShortlyForOtherWriters) {
  int runs = 0;
  const auto locked_until = [&](int last) {
    runs = 0;
    store::with_retries([&] {
      if (++runs < last) throw store::locked_elsewhere("the unit is being changed");
    });
  };
  locked_until(4);
  EXPECT_EQ(runs, 4);
  EXPECT_THROW(locked_until(5), store::unavailable);
}

} // namespace roost::testing::office_write_test
