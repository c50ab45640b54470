#include "service/support/web_browser.hpp"

#include <gtest/gtest.h>

#include <functional>

/// What a stand-by has followed counts in its first answer as the writer.
namespace roost::testing::warm_standby_test {
ROOST_FOR_EACH_STORE(WarmStandBy);

/// The first answer that is not "busy".
raw_response first_response(const std::function<raw_response()>& asked) {
  raw_response got;
  eventually([&] {
    got = asked();
    return got.status != 503;
  });
  return got;
}

TEST_P(WarmStandBy, KnowsTheCredentialsThatChangedAMomentBeforeTheWriterWasKilled) {
  management_scene scene(GetParam());
  running_roost second(scene.place, started::listening);
  second.wait_for_log({" standing_by "});
  const auto former = scene.server->partner_of("marketplace-a");
  const auto former_id = scene.place.run_well({"token", "list"}).substr(0, 36);
  auto browser = scene.browser();
  const auto access_token = text_at(scene.sign_in(browser), "/token");
  ASSERT_EQ(former.get("/listings/u1").status, 200U);
  ASSERT_EQ(browser.get("/auth/me", access_token).status, 200U);

  scene.place.run_well({"session", "revoke", browser.cookie(session_cookie).substr(0, 36)});
  scene.place.run_well({"token", "revoke", former_id});
  const partner newer(second.port(), "marketplace-a", scene.place.issue_token("marketplace-a"));
  const partner engine(second.port(), "booking-engine", scene.place.issue_token("booking-engine"));
  const header_fields with_key{{"svc-api-key", scene.place.issue_account_key(account_id)}};
  scene.server->kill();

  EXPECT_EQ(first_response([&] { return newer.get("/listings/u1"); }).status, 200U) << second.log();
  // A key that is not known is 401 before the body is looked at.
  EXPECT_EQ(first_response([&] { return engine.post("/property-listing", "{}", with_key); }).status, 400U);
  EXPECT_EQ(
      ask(second.port(), "GET", "/marketplace-a/listings/u1", {{"Authorization", "Bearer " + former.token()}})
          .status,
      401U);
  browser.aim_at(second.port());
  EXPECT_EQ(browser.get("/auth/me", access_token).body, unauthorized("Your session has ended."));
}

} // namespace roost::testing::warm_standby_test
