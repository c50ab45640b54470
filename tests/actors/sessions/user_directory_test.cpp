#include "actors/sessions/user_directory.hpp"
#include "support/random_cases.hpp"
#include "support/sample_portfolio.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace roost::testing::user_directory_test {

actors::known_user user(unsigned number, unsigned account, std::string name = "") {
  actors::known_user user;
  user.id = numbered_id(number);
  user.account_id = numbered_id(account);
  user.first_name = std::move(name);
  return user;
}

TEST(UserDirectory, FindsOnlyItsUsers) {
  const actors::user_directory all({user(3, 1), user(1, 1), user(2, 2)});
  for (unsigned n = 1; n <= 3; ++n) ASSERT_TRUE(all.find(numbered_id(n)));
  EXPECT_EQ(all.find(numbered_id(2))->account_id, numbered_id(2));
  EXPECT_FALSE(all.find(numbered_id(4)));
  EXPECT_FALSE(actors::user_directory({}).find(numbered_id(1)));
}

TEST(UserDirectory, ReplacesUsersOfSomeAccountsAndSharesTheOthers) {
  const actors::user_directory before({user(1, 1, "Ana"), user(2, 2, "Bo"), user(3, 1, "Cy")});
  const auto accounts = std::array{numbered_id(1), numbered_id(5)};
  const auto after = before.with(accounts, {user(4, 5, "Di"), user(1, 1, "Anna")});
  EXPECT_EQ(after.find(numbered_id(1))->first_name, "Anna");
  EXPECT_FALSE(after.find(numbered_id(3))) << "removed with its account's change";
  EXPECT_EQ(after.find(numbered_id(4))->first_name, "Di");
  EXPECT_EQ(after.find(numbered_id(2)), before.find(numbered_id(2))) << "not copied";
  EXPECT_EQ(before.find(numbered_id(1))->first_name, "Ana") << "a snapshot does not change";
}

TEST(UserDirectory, EqualsAFreshOneAfterAnyChanges) {
  domain::for_random_cases(50, [](std::mt19937& random) {
    std::map<unsigned, std::vector<actors::known_user>> by_account;
    actors::user_directory updated({});
    unsigned next = 1;
    for (int step = 0; step < 20; ++step) {
      const auto account = static_cast<unsigned>(domain::int_between(random, 1'000, 1'003));
      auto& users = by_account[account];
      users.clear();
      for (int count = domain::int_between(random, 0, 3); count > 0; --count)
        users.push_back(user(next++, account));
      const std::array changed{numbered_id(account)};
      updated = updated.with(changed, users);
    }
    std::vector<actors::known_user> all;
    for (const auto& [owner, users] : by_account) all.insert(all.end(), users.begin(), users.end());
    const actors::user_directory fresh(all);
    for (unsigned n = 0; n <= next; ++n)
      ASSERT_EQ(updated.find(numbered_id(n)) != nullptr, fresh.find(numbered_id(n)) != nullptr) << n;
  });
}

} // namespace roost::testing::user_directory_test
