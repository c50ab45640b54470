#include "actors/connector/outcome_cache.hpp"

#include <gtest/gtest.h>

namespace roost::actors::outcome_cache_test {

using namespace std::chrono_literals;

class OutcomeCache : public ::testing::Test {
protected:
  bool has(const std::string& name, std::chrono::seconds now = 0s) const {
    return cache.find(name, at(now)) != nullptr;
  }
  void put(const std::string& name, int value, std::chrono::seconds expires_at) {
    cache.put(name, value, at(expires_at));
  }
  static deadline::clock::time_point at(std::chrono::seconds time) {
    return deadline::clock::time_point{time};
  }

  outcome_cache<int> cache{2};
};

TEST_F(OutcomeCache, KeepsValuesUntilTheyExpire) {
  put("a", 1, 10s);
  EXPECT_EQ(*cache.find("a", at(9s)), 1);
  EXPECT_FALSE(has("a", 10s));
  EXPECT_FALSE(has("b"));
}

TEST_F(OutcomeCache, ReplacesValues) {
  put("a", 1, 10s);
  put("b", 2, 10s);
  put("a", 3, 20s);
  EXPECT_EQ(*cache.find("a", at(19s)), 3);
  EXPECT_TRUE(has("b"));
}

TEST_F(OutcomeCache, EvictsTheValueThatExpiresFirst) {
  put("a", 1, 20s);
  put("b", 2, 10s);
  put("c", 3, 5s);
  EXPECT_TRUE(has("a"));
  EXPECT_FALSE(has("b"));
  EXPECT_TRUE(has("c"));
}

TEST_F(OutcomeCache, MayHaveNoCapacity) {
  cache = outcome_cache<int>{0};
  put("a", 1, 1s);
  EXPECT_FALSE(has("a"));
}

} // namespace roost::actors::outcome_cache_test
