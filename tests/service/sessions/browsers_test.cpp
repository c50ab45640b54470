#include "service/support/web_browser.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Remembered browsers: seeing and forgetting them.
namespace roost::testing::browsers_test {
using ::testing::MatchesRegex;
ROOST_FOR_EACH_STORE(RememberedBrowserRoutes);

/// Signs in and has the browser remembered. Returns the access token.
std::string sign_in_and_remember(management_fixture& fixture, web_browser& browser) {
  const auto challenge = fixture.challenge(browser);
  const auto code = mailed_code(fixture.place, 1);
  const auto started =
      browser.post("/auth/verify-otp", R"({"challengeToken":")" + challenge + R"(","otp":")" + code +
                                           R"(","rememberDevice":true})");
  EXPECT_EQ(started.status, 200U) << started.body;
  return string_at(started, "/token");
}

TEST_P(RememberedBrowserRoutes, ListAndForgetThem) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = sign_in_and_remember(fixture, browser);
  const auto listed = browser.get("/auth/browsers", token);
  EXPECT_EQ(listed.status, 200U);
  EXPECT_THAT(listed.body, MatchesRegex(R"(\{"browsers":\[\{"id":"[0-9a-f-]{36}","browser":"Firefox.*",)"
                                        R"("rememberedAt":"[^"]+Z","expiresAt":"[^"]+Z"\}\]\})"));
  const auto path = "/auth/browsers/" + string_at(listed, "/browsers/0/id");
  const header_fields authorized{{"Authorization", "Bearer " + token}};
  const auto forgotten = browser.send("DELETE", path, "", authorized);
  EXPECT_EQ(forgotten.status, 200U);
  EXPECT_EQ(forgotten.body, R"({"message":"The browser is forgotten"})");
  EXPECT_EQ(browser.get("/auth/browsers", token).body, R"({"browsers":[]})");
  EXPECT_EQ(browser.send("DELETE", path, "", authorized).status, 404U);
  EXPECT_EQ(browser.get("/auth/me", token).status, 200U) << "its session continues";
  const auto next = browser.post("/auth/login", login_json("ana@casaverde.example", "ana-only"));
  EXPECT_EQ(json_at(next.body, "/otpRequired"), "true");
}

TEST_P(RememberedBrowserRoutes, RefuseRequestsWithoutAToken) {
  const management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  EXPECT_EQ(browser.send("GET", "/auth/browsers").status, 401U);
  EXPECT_EQ(browser.send("DELETE", "/auth/browsers/0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001").status, 401U);
}

TEST_P(RememberedBrowserRoutes, DoNotKnowAnIdThatIsNoUuid) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = sign_in_and_remember(fixture, browser);
  const auto refused =
      browser.send("DELETE", "/auth/browsers/first", "", {{"Authorization", "Bearer " + token}});
  EXPECT_EQ(refused.status, 404U);
  EXPECT_EQ(refused.body,
            R"({"statusCode":404,"message":"There is no such browser","error":"NotFoundException"})");
}

} // namespace roost::testing::browsers_test
