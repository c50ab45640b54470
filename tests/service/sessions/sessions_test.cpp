#include "service/support/web_browser.hpp"
#include "service/support/workplace.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

/// Sessions after sign-in: refreshes, ends and access (Management API, States and transitions).
namespace roost::testing::sessions_test {
ROOST_FOR_EACH_STORE(Sessions);
ROOST_FOR_SQLITE(SessionsOverHttp);

const std::string ended = unauthorized("Your session has ended.");

std::string session_of(const web_browser& browser) { return browser.cookie(session_cookie).substr(0, 36); }

TEST_P(Sessions, AreRefreshedWithANewCookieAndAccessToken) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto started = fixture.sign_in(browser);
  const auto before = browser.cookie(session_cookie);
  const auto refreshed = browser.post("/auth/refresh");
  ASSERT_EQ(refreshed.status, 201U) << refreshed.body;
  EXPECT_NE(browser.cookie(session_cookie), before);
  EXPECT_NE(string_at(refreshed, "/token"), string_at(started, "/token"));
  EXPECT_EQ(json_at(refreshed.body, "/user"), json_at(started.body, "/user"));
  EXPECT_EQ(browser.get("/auth/me", string_at(refreshed, "/token")).status, 200U);
}

TEST_P(Sessions, GiveRacingRefreshesTheSameNewCookie) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  fixture.sign_in(browser);
  std::mutex mutex;
  std::set<std::string> cookies;
  std::vector<std::thread> racers;
  for (int i = 0; i < 50; ++i)
    racers.emplace_back([&] {
      auto racer = browser;
      const auto refreshed = racer.post("/auth/refresh");
      const std::lock_guard lock(mutex);
      cookies.insert(refreshed.status == 201 ? racer.cookie(session_cookie) : refreshed.body);
    });
  for (auto& racer : racers) racer.join();
  EXPECT_EQ(cookies.size(), 1U);
  browser.set_cookie(session_cookie, *cookies.begin());
  EXPECT_EQ(browser.post("/auth/refresh").status, 201U) << "no refresh may invalidate another";
}

TEST_P(Sessions, EndAloneWhenAReplacedCookieIsUsedAfterTheGracePeriod) {
  management_fixture fixture(GetParam(), {{"sessions.refresh_grace", "\"0s\""}});
  auto browser = fixture.browser(), other = fixture.browser();
  fixture.sign_in(browser);
  fixture.sign_in(other);
  auto thief = browser;
  const auto token = string_at(browser.post("/auth/refresh"), "/token");
  browser.post("/auth/refresh");
  const auto reused = thief.post("/auth/refresh");
  EXPECT_EQ(reused.status, 401U);
  EXPECT_EQ(reused.body, unauthorized("Refresh token reuse detected"));
  EXPECT_EQ(browser.post("/auth/refresh").body, ended);
  EXPECT_EQ(browser.get("/auth/me", token).body, ended);
  EXPECT_EQ(other.post("/auth/refresh").status, 201U);
}

TEST_P(Sessions, ContinueInALateTabWhoseCookieWasReplacedTwice) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  fixture.sign_in(browser);
  auto late_tab = browser;
  browser.post("/auth/refresh");
  browser.post("/auth/refresh");
  EXPECT_EQ(late_tab.post("/auth/refresh").status, 201U);
  EXPECT_EQ(late_tab.cookie(session_cookie), browser.cookie(session_cookie));
  EXPECT_EQ(browser.post("/auth/refresh").status, 201U);
}

TEST_P(Sessions, EndAtLogout) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser), "/token");
  auto before = browser;
  const auto out = browser.post("/auth/logout");
  EXPECT_EQ(out.status, 200U);
  EXPECT_EQ(out.body, R"({"message":"Logged out"})");
  EXPECT_FALSE(browser.has_cookie(session_cookie));
  EXPECT_EQ(before.get("/auth/me", token).body, ended);
  EXPECT_EQ(before.post("/auth/refresh").body, ended);
  EXPECT_EQ(browser.post("/auth/logout").body, R"({"message":"Logged out"})") << "a repeated logout succeeds";
}

TEST_P(Sessions, AreRefusedWithoutACookieOrWithAForgedOne) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  EXPECT_EQ(browser.post("/auth/refresh").body, unauthorized("No refresh token"));
  browser.set_cookie(session_cookie, "made-up");
  EXPECT_EQ(browser.post("/auth/refresh").body, unauthorized("Invalid or expired refresh token"));
  auto other = fixture.browser();
  fixture.sign_in(other);
  auto text = other.cookie(session_cookie);
  text.replace(text.find(".1."), 3, ".2.");
  browser.set_cookie(session_cookie, text);
  EXPECT_EQ(browser.post("/auth/refresh").body, unauthorized("Invalid or expired refresh token"));
  EXPECT_EQ(other.post("/auth/refresh").status, 201U);
}

TEST_P(Sessions, ExpireAsConfigured) {
  management_fixture fixture(GetParam(), {{"sessions.session", "\"2s\""}});
  auto browser = fixture.browser();
  fixture.sign_in(browser);
  EXPECT_TRUE(eventually([&] {
    return browser.post("/auth/refresh").body == unauthorized("Invalid or expired refresh token");
  }));
}

/// The server has seen a newer password than the restored store has.
TEST_P(Sessions, StartAgainWithThePasswordOfARestoredBackup) {
  management_fixture fixture(GetParam());
  auto db = fixture.place.store().open();
  db.internals().script("back_up", "create table kept as select id, session_epoch, password_hash from users");
  const auto newest = store::newest_point(db);
  auto browser = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser), "/token");
  ASSERT_EQ(browser
                .post("/auth/password", R"({"oldPassword":"ana-only","newPassword":"ana-new-one"})",
                      {{"Authorization", "Bearer " + token}})
                .status,
            200U);
  ASSERT_TRUE(eventually(
      [&] { return fixture.server->metric("roost_changes_position").value_or(0) > newest.position; }));
  db.internals().script(
      "restore", "update users set session_epoch = (select session_epoch from kept where kept.id = users.id),"
                 " password_hash = (select password_hash from kept where kept.id = users.id);"
                 " delete from changes where position > " +
                     std::to_string(newest.position) +
                     "; update change_stream set position = " + std::to_string(newest.position));
  ASSERT_TRUE(eventually([&] {
    const auto events = fixture.server->events();
    const auto noticed = std::ranges::find(events, "another_history", &event::name);
    return std::ranges::find(noticed, events.end(), "portfolio_loaded", &event::name) != events.end();
  }));
  fixture.server->wait_until_ready();
  auto after = fixture.browser();
  EXPECT_EQ(after.get("/auth/me", string_at(fixture.sign_in(after), "/token")).status, 200U);
}

TEST_P(Sessions, EndInEveryBrowserWithANewPassword) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser(), other = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser, true), "/token");
  const auto other_token = string_at(fixture.sign_in(other), "/token");
  const auto wrong = browser.post("/auth/password", R"({"oldPassword":"not-it","newPassword":"ana-new-one"})",
                                  {{"Authorization", "Bearer " + token}});
  EXPECT_EQ(wrong.body, unauthorized("Invalid credentials"));
  const auto refusal =
      fixture.server->wait_for_event("password_change_refused", {{"reason", "wrong_password"}});
  for (const auto& [key, value] : refusal.fields)
    for (const auto* secret : {"not-it", "casaverde"})
      EXPECT_THAT(value, ::testing::Not(::testing::HasSubstr(secret))) << key;
  EXPECT_EQ(fixture.server->metric(R"(roost_sign_in_events_total{event="wrong_password"})"), 1);
  auto before = browser;
  const auto changed =
      browser.post("/auth/password", R"({"oldPassword":"ana-only","newPassword":"ana-new-one"})",
                   {{"Authorization", "Bearer " + token}});
  ASSERT_EQ(changed.status, 200U) << changed.body;
  EXPECT_EQ(before.get("/auth/me", token).body, ended);
  EXPECT_EQ(other.get("/auth/me", other_token).body, ended);
  EXPECT_EQ(other.post("/auth/refresh").body, ended);
  EXPECT_EQ(before.post("/auth/login", login_json("ana@casaverde.example", "ana-only")).status, 401U);
  EXPECT_EQ(json_at(before.post("/auth/login", login_json("ana@casaverde.example", "ana-new-one")).body,
                    "/otpRequired"),
            "true");
}

TEST_P(Sessions, EndWithAPasswordReset) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser), "/token");
  const auto known = browser.post("/auth/forgot-password", R"({"email":"ana@casaverde.example"})");
  const auto unknown = browser.post("/auth/forgot-password", R"({"email":"nobody@casaverde.example"})");
  EXPECT_EQ(known.status, 200U);
  EXPECT_EQ(known.body, unknown.body);
  const auto link = mailed_link(fixture.place);
  const auto reset = R"({"token":")" + link + R"(","password":"ana-new-one"})";
  EXPECT_EQ(browser.post("/auth/reset-password", R"({"token":"made-up","password":"ana-new-one"})").status,
            401U);
  EXPECT_EQ(browser.post("/auth/reset-password", reset).status, 200U);
  EXPECT_EQ(browser.get("/auth/me", token).body, ended);
  EXPECT_EQ(browser.post("/auth/reset-password", reset).body,
            unauthorized("That link is not valid any more. Ask for a new one."));
  EXPECT_EQ(browser.post("/auth/login", login_json("ana@casaverde.example", "ana-new-one")).status, 201U);
}

TEST_P(Sessions, EndWithADeactivationOrANewRoleButNotWithAnUnchangedImport) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser), "/token");
  fixture.place.import(portfolio_of(1));
  EXPECT_EQ(browser.get("/auth/me", token).status, 200U);
  EXPECT_EQ(browser.post("/auth/refresh").status, 201U);
  fixture.place.import(portfolio_of(1, {{account_pointer + "/users/0/role", R"("Manager")"}}));
  EXPECT_EQ(browser.get("/auth/me", token).body, ended);
  EXPECT_EQ(browser.post("/auth/refresh").body, ended);
  const auto as_manager = string_at(fixture.sign_in(browser), "/token");
  fixture.place.import(portfolio_of(1, {{account_pointer + "/users/0/role", R"("Manager")"},
                                        {account_pointer + "/users/0/deactivated", "true"}}));
  const auto refused = browser.get("/auth/me", as_manager);
  EXPECT_EQ(refused.body,
            R"({"statusCode":403,"message":"Forbidden resource","error":"ForbiddenException"})");
  EXPECT_EQ(browser.post("/auth/refresh").body, unauthorized("Session is no longer valid"));
  fixture.place.import(portfolio_of(1, {{account_pointer + "/users/0/role", R"("Manager")"}}));
  EXPECT_EQ(browser.get("/auth/me", as_manager).body, ended) << "also after the reactivation";
}

TEST_P(Sessions, EndWithTheUser) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser), "/token");
  fixture.place.import(portfolio_of(1, {{account_pointer + "/users", "[]"}}));
  EXPECT_EQ(browser.get("/auth/me", token).body, unauthorized("Invalid authentication credentials"));
  EXPECT_EQ(browser.post("/auth/refresh").body, unauthorized("Session is no longer valid"));
}

TEST_P(Sessions, AreListedAndRevokedByTheOperator) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser(), other = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser), "/token");
  fixture.sign_in(other);
  const auto list = fixture.place.run_or_throw({"session", "list"});
  EXPECT_THAT(list, ::testing::HasSubstr(session_of(browser) + "  ana@casaverde.example"));
  EXPECT_THAT(list, ::testing::HasSubstr(session_of(other)));
  fixture.place.run_or_throw({"session", "revoke", session_of(browser)});
  EXPECT_EQ(browser.get("/auth/me", token).body, ended);
  fixture.server->wait_for_event("session_revoked", {{"session", session_of(browser)}});
  EXPECT_EQ(fixture.server->metric("roost_sessions_revoked_total"), 1);
  EXPECT_EQ(browser.post("/auth/refresh").body, ended);
  EXPECT_EQ(other.post("/auth/refresh").status, 201U);
  EXPECT_EQ(fixture.place.run({"session", "revoke", session_of(browser)}).status, 1);
}

TEST_P(Sessions, EndWithAPasswordSetByTheOperator) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser), "/token");
  fixture.place.run_or_throw({"user", "password", "ana@casaverde.example"}, "ana-new-one\n");
  EXPECT_EQ(browser.get("/auth/me", token).body, ended);
}

TEST_P(Sessions, SurviveNewKeysUnlessTheOldOnesAreDropped) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser), "/token");
  fixture.place.run_or_throw({"secrets", "rotate"});
  EXPECT_EQ(browser.get("/auth/me", token).status, 200U);
  const auto before = browser.cookie(session_cookie);
  EXPECT_EQ(browser.post("/auth/refresh").status, 201U);
  EXPECT_NE(browser.cookie(session_cookie).substr(browser.cookie(session_cookie).find('.', 37) + 1, 3),
            ".0.");
  fixture.place.run_or_throw({"secrets", "rotate", "--sign-out"});
  EXPECT_EQ(browser.get("/auth/me", token).body, unauthorized("Invalid authentication credentials"));
  EXPECT_EQ(browser.post("/auth/refresh").body, unauthorized("Invalid or expired refresh token"));
}

TEST_P(Sessions, SurviveAKillDuringARefresh) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  fixture.sign_in(browser);
  for (int round = 0; round < 4; ++round) {
    auto unanswered = browser;
    std::thread refreshing([&] {
      try {
        for (int i = 0; i < 3; ++i) unanswered.post("/auth/refresh");
      } catch (const std::runtime_error&) { // killed
      }
    });
    std::this_thread::sleep_for(
        std::chrono::milliseconds{2 * round}); // kills at a different moment each time
    fixture.server->kill();
    refreshing.join();
    fixture.server.emplace(fixture.place);
    browser = unanswered;
    browser.set_port(fixture.server->port());
    EXPECT_EQ(browser.post("/auth/refresh").status, 201U) << round;
  }
}

TEST_P(SessionsOverHttp, RefusePartnerTokensAndPartnersRefuseAccessTokens) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = string_at(fixture.sign_in(browser), "/token");
  const auto partner = fixture.server->partner_of("marketplace-a");
  EXPECT_EQ(browser.get("/auth/me", partner.token()).body,
            unauthorized("Invalid authentication credentials"));
  EXPECT_EQ(browser.get("/marketplace-a/listings", token).body, unauthorized("Unauthorized"));
}

TEST_P(SessionsOverHttp, AreRequiredByMeWithItsOwnErrorTexts) {
  const management_fixture fixture(GetParam());
  EXPECT_EQ(send_request(fixture.server->port(), "GET", "/auth/me").body,
            unauthorized("Missing authentication credentials"));
  for (const auto* header : {"Basic x", "Bearer x", "Bearer", "bearer x", "x"})
    EXPECT_EQ(send_request(fixture.server->port(), "GET", "/auth/me", {{"Authorization", header}}).body,
              unauthorized("Invalid authentication credentials"))
        << header;
}

} // namespace roost::testing::sessions_test
