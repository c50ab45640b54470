#include "service/support/web_browser.hpp"

#include <gtest/gtest.h>

#include <functional>

/// What a stand-by has followed counts in its first answer as the writer.
namespace roost::testing::warm_standby_test {
ROOST_FOR_EACH_STORE(WarmStandBy);

/// The first answer that is not "busy".
answer first_response(const std::function<answer()>& asked) {
  answer got;
  eventually([&] {
    got = asked();
    return got.status != 503;
  });
  return got;
}

TEST_P(WarmStandBy, KnowsTheCredentialsThatChangedAMomentBeforeTheWriterWasKilled) {
  management_fixture fixture(GetParam());
  running_roost second(fixture.place, started::listening);
  second.wait_for_log({" standing_by "});
  const auto former = fixture.server->partner_of("marketplace-a");
  const auto former_id = fixture.place.run_or_throw({"token", "list"}).substr(0, 36);
  auto browser = fixture.browser();
  const auto access_token = string_at(fixture.sign_in(browser), "/token");
  ASSERT_EQ(former.get("/listings/u1").status, 200U);
  ASSERT_EQ(browser.get("/auth/me", access_token).status, 200U);

  fixture.place.run_or_throw({"session", "revoke", browser.cookie(session_cookie).substr(0, 36)});
  fixture.place.run_or_throw({"token", "revoke", former_id});
  const partner newer(second.port(), "marketplace-a", fixture.place.issue_token("marketplace-a"));
  const partner engine(second.port(), "booking-engine", fixture.place.issue_token("booking-engine"));
  const header_fields with_key{{"svc-api-key", fixture.place.issue_account_key(account_id)}};
  fixture.server->kill();

  EXPECT_EQ(first_response([&] { return newer.get("/listings/u1"); }).status, 200U) << second.log();
  // A key that is not known is 401 before the body is looked at.
  EXPECT_EQ(first_response([&] { return engine.post("/property-listing", "{}", with_key); }).status, 400U);
  EXPECT_EQ(send_request(second.port(), "GET", "/marketplace-a/listings/u1",
                         {{"Authorization", "Bearer " + former.token()}})
                .status,
            401U);
  browser.set_port(second.port());
  EXPECT_EQ(browser.get("/auth/me", access_token).body, unauthorized("Your session has ended."));
}

} // namespace roost::testing::warm_standby_test
