#include "service/support/web_browser.hpp"

#include <gtest/gtest.h>

namespace roost::testing::owners_test {
ROOST_FOR_EACH_STORE(Owners);

TEST_P(Owners, SeeWhetherTheyHaveProperties) {
  const std::string owner = R"("55555555-0000-4000-8000-000000000001")";
  management_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(
      1, {{account_pointer + "/users/0/role", R"("Owner")"}, {account_pointer + "/users/0/ownerId", owner}}));
  auto browser = fixture.browser();
  auto started = fixture.sign_in(browser);
  EXPECT_EQ(json_at(started.body, "/user/ownerId"), owner);
  EXPECT_EQ(json_at(started.body, "/user/hasProperties"), "false");
  fixture.place.import(portfolio_of(1, {{account_pointer + "/users/0/role", R"("Owner")"},
                                        {account_pointer + "/users/0/ownerId", owner},
                                        {property_pointer + "/ownerId", owner}}));
  EXPECT_EQ(json_at(browser.get("/auth/me", string_at(started, "/token")).body, "/user/hasProperties"),
            "true");
}

} // namespace roost::testing::owners_test
