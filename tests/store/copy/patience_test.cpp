#include "store/copy/patience.hpp"
#include "store/database/error.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace roost::testing::patience_test {
using namespace std::chrono_literals;

void nothing() {}

TEST(Patience, ReadsAgainUntilTheStoreAnswers) {
  int tries = 0, waits = 0;
  store::read_patiently(
      1h, [&] { ++waits; },
      [&] {
        if (++tries < 3) throw store::unavailable("stalled");
      });
  EXPECT_EQ(tries, 3);
  EXPECT_EQ(waits, 2);
}

TEST(Patience, EndsWithTheStoresOwnWords) {
  int tries = 0;
  const auto read = [&] {
    ++tries;
    throw store::unavailable("stalled");
  };
  EXPECT_THROW(store::read_patiently(0ms, nothing, read), store::unavailable);
  EXPECT_EQ(tries, 1);
}

TEST(Patience, HasNoneWithOtherErrors) {
  int tries = 0;
  const auto read = [&] {
    ++tries;
    throw store::failure("a fault");
  };
  EXPECT_THROW(store::read_patiently(1h, nothing, read), store::failure);
  EXPECT_EQ(tries, 1);
}

TEST(Patience, EndsWhenItIsInterrupted) {
  const auto interrupt = [] { throw std::runtime_error("interrupted"); };
  const auto read = [] { throw store::unavailable("stalled"); };
  EXPECT_THROW(store::read_patiently(1h, interrupt, read), std::runtime_error);
}

} // namespace roost::testing::patience_test
