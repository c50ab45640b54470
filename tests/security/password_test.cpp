#include "security/password.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace roost::security::password_test {

/// The minimum cost of argon2.
constexpr password_cost cheap{8, 1, 1};

TEST(Passwords, MatchTheirHash) {
  const auto encoded = hash_password("correct horse", cheap);
  EXPECT_TRUE(password_matches("correct horse", encoded));
  EXPECT_FALSE(password_matches("correct Horse", encoded));
  EXPECT_FALSE(password_matches("correct horse ", encoded));
  EXPECT_FALSE(password_matches("", encoded));
}

TEST(Passwords, AreHashedWithEveryLengthAndByte) {
  const std::string with_zero("a\0b", 3);
  const auto encoded = hash_password(with_zero, cheap);
  EXPECT_TRUE(password_matches(with_zero, encoded));
  EXPECT_FALSE(password_matches("a", encoded));
  EXPECT_TRUE(password_matches("", hash_password("", cheap)));
  const std::string long_password(10'000, 'x');
  EXPECT_TRUE(password_matches(long_password, hash_password(long_password, cheap)));
}

TEST(Passwords, MatchHoweverTheirAccentsAreComposed) {
  const std::string composed = "caf\u00e9-ma\u00f1ana", decomposed = "cafe\u0301-man\u0303ana";
  for (const auto& chosen : {composed, decomposed}) {
    const auto encoded = hash_password(chosen, cheap);
    EXPECT_TRUE(password_matches(composed, encoded));
    EXPECT_TRUE(password_matches(decomposed, encoded));
    EXPECT_FALSE(password_matches("cafe-manana", encoded));
  }
}

TEST(Passwords, MatchTheHashOfTheirOwnBytes) {
  const std::string decomposed = "cafe\u0301";
  // argon2id of the decomposed text, as stored before texts were composed.
  const std::string earlier =
      "$argon2id$v=19$m=8,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$FTjxH6XaexaJuXRmq0ga1w6jiz2TuwV5NOayIcQKUEE";
  EXPECT_TRUE(password_matches(decomposed, earlier));
}

TEST(Passwords, AreSalted) { EXPECT_NE(hash_password("same", cheap), hash_password("same", cheap)); }

TEST(Passwords, AreHashedAtTheDefaultCost) {
  const auto encoded = hash_password("correct horse");
  EXPECT_THAT(encoded, ::testing::StartsWith("$argon2id$v=19$m=19456,t=2,p=1$"));
  EXPECT_TRUE(password_matches("correct horse", encoded));
}

TEST(Passwords, DoNotMatchInvalidHashes) {
  const auto encoded = hash_password("x", cheap);
  for (const std::string& text :
       {std::string(), std::string("x"), std::string("$argon2id$"), encoded.substr(0, encoded.size() - 1),
        encoded + "A", "$argon2i$" + encoded.substr(std::string("$argon2id$").size())})
    EXPECT_FALSE(password_matches("x", text)) << text;
}

TEST(Passwords, HaveTheirCostInTheHash) {
  EXPECT_EQ(cost_of(hash_password("x", cheap)), cheap);
  EXPECT_EQ(cost_of(hash_password("x", {32, 3, 2})), (password_cost{32, 3, 2}));
  const auto encoded = hash_password("x", cheap);
  for (const std::string& text :
       {std::string(), std::string("x"), std::string("$argon2id$v=19$m=8,t=1,p=1"),
        std::string("$argon2id$v=16$m=8,t=1,p=1$"), std::string("$argon2id$v=19$m=-8,t=1,p=1$"),
        std::string("$argon2id$v=19$m=99999999999,t=1,p=1$"),
        "$argon2i$" + encoded.substr(std::string("$argon2id$").size())})
    EXPECT_EQ(cost_of(text), std::nullopt) << text;
}

TEST(Passwords, NeedRehashingWhenTheCostChanges) {
  const auto encoded = hash_password("x", cheap);
  EXPECT_FALSE(needs_rehash(encoded, cheap));
  EXPECT_TRUE(needs_rehash(encoded, {16, 1, 1}));
  EXPECT_TRUE(needs_rehash(encoded, {8, 2, 1}));
  EXPECT_TRUE(needs_rehash("no hash", cheap));
}

TEST(Passwords, CannotBeHashedBelowTheMinimumCost) {
  EXPECT_THROW(hash_password("x", {1, 1, 1}), std::runtime_error);
}

TEST(RemainingCost, AddsUpToTheTarget) {
  const auto rest = remaining_cost({4'096, 1, 1}, {16'384, 2, 1});
  ASSERT_TRUE(rest);
  EXPECT_EQ(*rest, (password_cost{14'336, 2, 1})) << "4096 KiB-passes are done, 28672 remain";
  EXPECT_EQ(*remaining_cost({8'192, 2, 2}, {16'384, 2, 2}), (password_cost{8'192, 2, 2}));
  EXPECT_EQ(*remaining_cost({16'384, 2, 4}, {16'384, 2, 1}), (password_cost{12'288, 2, 1}));
}

TEST(RemainingCost, IsNothingIfTheCheckTakesAsLong) {
  const password_cost target{16'384, 2, 1};
  EXPECT_FALSE(remaining_cost(target, target));
  EXPECT_FALSE(remaining_cost({16'384, 3, 1}, target));
  EXPECT_FALSE(remaining_cost({65'536, 2, 1}, target));
  EXPECT_FALSE(remaining_cost({16'380, 2, 1}, target)) << "less than argon2's minimum";
}

} // namespace roost::security::password_test
