#include "domain/pack.hpp"

#include <gtest/gtest.h>

#include <string>

namespace roost::testing::pack_test {
using domain::at;
using domain::pack_of;

TEST(Pack, PassesItsValuesInOrder) {
  const auto joined = [](int number, const std::string& text, char letter) {
    return std::to_string(number) + text + letter;
  };
  EXPECT_EQ(pack_of(1, std::string("two"), '3').pass_to(joined), "1two3");
}

TEST(Pack, PassesReferencesToItsValues) {
  const auto values = pack_of(1, 2);
  const auto& second = values.pass_to([](const int&, const int& second) -> const int& { return second; });
  EXPECT_EQ(&second, &at<1>(values));
}

TEST(Pack, MayBeEmpty) {
  EXPECT_EQ(pack_of().pass_to([](auto... values) { return sizeof...(values); }), 0U);
}

TEST(Pack, HoldsSeveralValuesOfOneType) {
  constexpr auto values = pack_of(7, 8, 7);
  static_assert(at<0>(values) == 7 && at<1>(values) == 8 && at<2>(values) == 7);
}

TEST(Pack, EqualsAPackOfEqualValues) {
  EXPECT_EQ(pack_of(1, 'a'), pack_of(1, 'a'));
  EXPECT_NE(pack_of(1, 'a'), pack_of(1, 'b'));
}

} // namespace roost::testing::pack_test
