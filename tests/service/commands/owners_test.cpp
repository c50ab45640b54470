#include "service/support/web_browser.hpp"

#include <gtest/gtest.h>

namespace roost::testing::owners_test {
ROOST_FOR_EACH_STORE(Owners);

TEST_P(Owners, AreToldWhetherTheyHaveProperties) {
  const std::string owner = R"("55555555-0000-4000-8000-000000000001")";
  management_scene scene(GetParam());
  scene.place.import(portfolio_of(
      1, {{the_account + "/users/0/role", R"("Owner")"}, {the_account + "/users/0/ownerId", owner}}));
  auto browser = scene.browser();
  auto started = scene.sign_in(browser);
  EXPECT_EQ(json_at(started.body, "/user/ownerId"), owner);
  EXPECT_EQ(json_at(started.body, "/user/hasProperties"), "false");
  scene.place.import(portfolio_of(1, {{the_account + "/users/0/role", R"("Owner")"},
                                      {the_account + "/users/0/ownerId", owner},
                                      {the_property + "/ownerId", owner}}));
  EXPECT_EQ(json_at(browser.get("/auth/me", text_at(started, "/token")).body, "/user/hasProperties"), "true");
}

} // namespace roost::testing::owners_test
