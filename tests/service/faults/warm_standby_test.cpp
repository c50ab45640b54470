#include "service/support/web_browser.hpp"

#include <gtest/gtest.h>

#include <functional>

/// A standby applies the changes that it has followed in its first response as the writer.
namespace roost::testing::warm_standby_test {
ROOST_FOR_EACH_STORE(WarmStandby);

/// Sends a request until its response is not "busy", and returns that response.
raw_response first_response(const std::function<raw_response()>& request) {
  raw_response response;
  eventually([&] {
    response = request();
    return response.status != 503;
  });
  return response;
}

TEST_P(WarmStandby, KnowsCredentialsThatChangedJustBeforeTheWriterWasKilled) {
  management_fixture fixture(GetParam());
  running_roost second(fixture.place, started::listening);
  second.wait_for_event("standing_by");
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
  // An unknown key would get 401 before the body is validated.
  EXPECT_EQ(first_response([&] { return engine.post("/property-listing", "{}", with_key); }).status, 400U);
  EXPECT_EQ(send_request(second.port(), "GET", "/marketplace-a/listings/u1",
                         {{"Authorization", "Bearer " + former.token()}})
                .status,
            401U);
  browser.set_port(second.port());
  EXPECT_EQ(browser.get("/auth/me", access_token).body, unauthorized("Your session has ended."));
}

} // namespace roost::testing::warm_standby_test
