#include "security/common_password.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace roost::embedded {
extern const std::string_view common_passwords;
}

namespace roost::security::common_password_test {

std::vector<std::string_view> lines() {
  std::vector<std::string_view> all;
  for (auto rest = embedded::common_passwords; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1))
    all.push_back(rest.substr(0, rest.find('\n')));
  return all;
}

TEST(CommonPasswords, AreKnownInAnyLetterCase) {
  for (const auto* password :
       {"123456", "password", "Password1", "QWERTY123", "iloveyou", "trustno1", "p@ssw0rd"})
    EXPECT_TRUE(is_common_password(password)) << password;
}

TEST(CommonPasswords, AreAllFound) {
  const auto all = lines();
  EXPECT_EQ(all.size(), 22'605U) << "docs/management-api.md names the number";
  EXPECT_TRUE(std::ranges::is_sorted(all)) << "a binary search needs this";
  for (const auto password : all) EXPECT_TRUE(is_common_password(password)) << password;
}

TEST(CommonPasswords, AreDatesInEightDigits) {
  for (const auto* password :
       {"31121990", "12121987", "01081990", "12311990", "19901231", "29022004", "20991231"})
    EXPECT_TRUE(is_common_password(password)) << password;
  for (const auto* password :
       {"31021990", "29021999", "20991331", "31129990", "18991231", "3112199O", "311219901"})
    EXPECT_FALSE(is_common_password(password)) << password;
}

TEST(CommonPasswords, AreNoOthers) {
  for (const auto* password : {"", "ana-only", "correct horse battery staple", "!", "zzzzzzzzzzzzzzzzzzzz",
                               "123456\n", "password\npassword1", "\xff\xff\xff\xff\xff\xff"})
    EXPECT_FALSE(is_common_password(password)) << password;
}

} // namespace roost::security::common_password_test
