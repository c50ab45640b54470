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

TEST(Passwords, OfEveryLengthAndByteAreHashed) {
  const std::string with_zero("a\0b", 3);
  const auto encoded = hash_password(with_zero, cheap);
  EXPECT_TRUE(password_matches(with_zero, encoded));
  EXPECT_FALSE(password_matches("a", encoded));
  EXPECT_TRUE(password_matches("", hash_password("", cheap)));
  const std::string long_password(10'000, 'x');
  EXPECT_TRUE(password_matches(long_password, hash_password(long_password, cheap)));
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

} // namespace roost::security::password_test
