#include "security/jwt.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace roost::security::jwt_test {

jwt_key secret(unsigned char first = 0) {
  signing_key key;
  std::iota(key.begin(), key.end(), first);
  return jwt_key{key};
}

const std::string issued_by_earlier_versions =
    "eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIiwidHlwIjoiSldUIn0.eyJhdWQiOiJodHRwczovL3Rvb2xzLmV4YW1wbG"
    "UvbWNwIiwiY2xpZW50X2lkIjoibWNwLTAxMjM0NTY3ODlhYmNkZWYiLCJlcG9jaCI6MywiZXhwIjoxNzk1MDAwOTAw"
    "LCJpYXQiOjE3OTUwMDAwMDAsImlzcyI6Imh0dHBzOi8vcm9vc3QuZXhhbXBsZSIsInNjb3BlIjoiYSBiIGMiLCJzaW"
    "QiOiIwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJzb3VyY2UiOiJjb25uZWN0b3IiLCJzdWIi"
    "OiIwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDIifQ.oFJlD4KYn4JRBtt2oAudGvHJR9oFRU3xRjXZSAnY1yQ";

TEST(Jwt, IsReadFromEarlierVersions) {
  const auto token = jwt_reader::verified(issued_by_earlier_versions, secret());
  ASSERT_TRUE(token);
  EXPECT_EQ(key_id_of(issued_by_earlier_versions), "k1");
  EXPECT_EQ(token->text("aud"), "https://tools.example/mcp");
  EXPECT_EQ(token->number("epoch"), 3);
  EXPECT_EQ(token->time("iat"), std::chrono::sys_seconds(std::chrono::seconds(1795000000)));
}

TEST(Jwt, IsRefusedWithAnotherKey) {
  EXPECT_FALSE(jwt_reader::verified(issued_by_earlier_versions, secret(1)));
}

TEST(Jwt, ContainsKeyIdAndClaims) {
  const std::string odd = "a \"quoted\" \\ text, \xc3\xa9 and a tab\t";
  const auto text = jwt_writer(secret(), "k2").add("a", odd).add("b", std::int64_t{-5}).text();
  EXPECT_EQ(key_id_of(text), "k2");
  const auto token = jwt_reader::verified(text, secret());
  ASSERT_TRUE(token);
  EXPECT_EQ(token->text("a"), odd);
  EXPECT_EQ(token->number("b"), -5);
  EXPECT_EQ(token->text("b"), std::nullopt);
  EXPECT_EQ(token->number("a"), std::nullopt);
  EXPECT_EQ(token->text("c"), std::nullopt);
}

TEST(Jwt, MayHaveNoKeyId) {
  const auto text = jwt_writer(secret()).add("a", "b").text();
  EXPECT_EQ(key_id_of(text), std::nullopt);
  EXPECT_TRUE(jwt_reader::verified(text, secret()));
}

/// {"alg":"none"} and {"alg":"HS384"} over {"a":"b"}.
TEST(Jwt, IsRefusedWithAnotherAlgorithm) {
  for (const auto* text : {"eyJhbGciOiJub25lIn0.eyJhIjoiYiJ9.", "eyJhbGciOiJub25lIn0.eyJhIjoiYiJ9.AA",
                           "eyJhbGciOiJIUzM4NCJ9.eyJhIjoiYiJ9.AA"})
    EXPECT_FALSE(jwt_reader::verified(text, secret())) << text;
}

TEST(Jwt, IsRefusedIfMalformed) {
  const auto good = jwt_writer(secret()).add("a", "b").text();
  for (const auto& text : {std::string{}, std::string("."), std::string(".."), good + ".", good + "=",
                           " " + good, good + std::string(1, '\0'), std::string(3000, 'a')}) {
    EXPECT_FALSE(jwt_reader::verified(text, secret()));
    EXPECT_EQ(key_id_of(text), std::nullopt);
  }
}

} // namespace roost::security::jwt_test
