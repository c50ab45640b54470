#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

namespace roost::domain {

/// Checks a property on `count` random cases, each with its own seed, which failures report. Stops at the
/// first failing case.
template <typename Property>
void for_random_cases(std::uint32_t count, const Property& property) {
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    property(random);
    if (::testing::Test::HasFailure()) return;
  }
}

/// Returns a uniformly distributed integer; both bounds are inclusive.
inline std::int64_t between(std::mt19937& random, std::int64_t min, std::int64_t max) {
  return std::uniform_int_distribution<std::int64_t>{min, max}(random);
}

inline int int_between(std::mt19937& random, int min, int max) {
  return static_cast<int>(between(random, min, max));
}

} // namespace roost::domain
