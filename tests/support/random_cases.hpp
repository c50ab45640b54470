#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

namespace roost::domain {

/// Checks a property on `count` random cases, each from a seed of its own that a failure names. The first
/// failing case is the last one.
template <typename Property>
void for_random_cases(std::uint32_t count, const Property& holds) {
  for (std::uint32_t seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random{seed};
    holds(random);
    if (::testing::Test::HasFailure()) return;
  }
}

/// Uniform, both ends included.
inline std::int64_t between(std::mt19937& random, std::int64_t least, std::int64_t greatest) {
  return std::uniform_int_distribution<std::int64_t>{least, greatest}(random);
}

inline int int_between(std::mt19937& random, int least, int greatest) {
  return static_cast<int>(between(random, least, greatest));
}

} // namespace roost::domain
