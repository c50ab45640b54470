#include "service/support/web_browser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The pages without scripts: signing in, passwords, the account.
namespace roost::testing::pages_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
ROOST_FOR_SQLITE(Pages);

const page_fields right_password{{"email", "ana@casaverde.example"}, {"password", "ana-only"}};

page_visit visit(const management_fixture& fixture, const std::string& name = "Firefox/140 (Windows)") {
  return page_visit(fixture.browser(name));
}

TEST_P(Pages, SignAUserInWithPasswordAndCode) {
  management_fixture fixture(GetParam());
  auto ana = visit(fixture);
  EXPECT_THAT(ana.open("/sign-in").body, HasSubstr("<h1>Sign in</h1>"));
  const auto redirect = ana.submit("/sign-in", right_password);
  EXPECT_EQ(redirect.status, 303U);
  EXPECT_EQ(redirect.header("location"), "/sign-in/code");
  EXPECT_FALSE(ana.browser().has_cookie(session_cookie));
  EXPECT_THAT(ana.open("/sign-in/code").body,
              AllOf(HasSubstr("a***@casaverde.example"), HasSubstr("valid for 10 minutes")));
  const auto done = ana.submit("/sign-in/code", {{"code", mailed_code(fixture.place, 1)}});
  EXPECT_EQ(done.status, 303U);
  EXPECT_EQ(done.header("location"), "/account");
  EXPECT_FALSE(ana.browser().has_cookie("roost_challenge"));
  const auto account = ana.open("/account");
  EXPECT_EQ(account.status, 200U);
  EXPECT_THAT(account.body,
              AllOf(HasSubstr("<dd>Ana Robledo</dd>"), HasSubstr("<dd>Casa Verde Rentals</dd>"),
                    HasSubstr("Firefox on Windows"), HasSubstr("this browser"), HasSubstr("127.0.0.1")));
  EXPECT_EQ(ana.open("/sign-in").header("location"), "/account");
}

/// A shell adds a byte order mark and a carriage return, copying adds blanks, and devices compose accents
/// differently.
TEST_P(Pages, AcceptWhatWasPasted) {
  management_fixture fixture(GetParam());
  fixture.place.run_or_throw({"user", "password", "ana@casaverde.example"},
                             "\xef\xbb\xbfma\u00f1ana-only\r\n");
  auto ana = visit(fixture);
  ana.open("/sign-in");
  const auto redirect =
      ana.submit("/sign-in", {{"email", " ana@casaverde.example\u00a0"}, {"password", "man\u0303ana-only"}});
  ASSERT_EQ(redirect.header("location"), "/sign-in/code") << redirect.body;
  EXPECT_THAT(ana.open("/sign-in/code").body, Not(HasSubstr("maxlength=\"6\"")));
  auto code = mailed_code(fixture.place, 1);
  code.insert(3, " \u00a0");
  EXPECT_EQ(ana.submit("/sign-in/code", {{"code", ' ' + code + "\r\n"}}).header("location"), "/account");
  ana.open("/forgot-password");
  const auto sent = ana.submit("/forgot-password", {{"email", "ana@casaverde.example "}});
  EXPECT_EQ(sent.header("location"), "/sign-in?notice=reset-sent");
}

TEST_P(Pages, ReportAWrongPasswordAndKeepTheAddress) {
  const management_fixture fixture(GetParam());
  auto ana = visit(fixture);
  ana.open("/sign-in");
  const auto refused =
      ana.submit("/sign-in", {{"email", "ana@casaverde.example"}, {"password", "wrong-one"}});
  EXPECT_EQ(refused.status, 401U);
  EXPECT_THAT(refused.body,
              AllOf(HasSubstr("password is incorrect"), HasSubstr("value=\"ana@casaverde.example\""),
                    HasSubstr("aria-invalid"), Not(HasSubstr("wrong-one"))));
  EXPECT_EQ(ana.submit("/sign-in", right_password).status, 303U);
}

TEST_P(Pages, EscapeMarkupInInput) {
  const management_fixture fixture(GetParam());
  auto visitor = visit(fixture);
  visitor.open("/sign-in");
  const auto refused =
      visitor.submit("/sign-in", {{"email", "\"><script>alert(1)</script>"}, {"password", "abcdef"}});
  EXPECT_EQ(refused.status, 401U);
  EXPECT_THAT(refused.body, AllOf(HasSubstr("&quot;&gt;&lt;script&gt;"), Not(HasSubstr("<script"))));
  EXPECT_THAT(visitor.open("/sign-in?notice=%3Cscript%3E").body, Not(HasSubstr("script")));
}

TEST_P(Pages, AllowFiveWrongCodes) {
  management_fixture fixture(GetParam());
  auto ana = visit(fixture);
  ana.open("/sign-in");
  ana.submit("/sign-in", right_password);
  ana.open("/sign-in/code");
  const auto code = mailed_code(fixture.place, 1);
  for (int i = 0; i < 5; ++i) {
    const auto refused = ana.submit("/sign-in/code", {{"code", wrong_code(code)}, {"remember", "yes"}});
    EXPECT_EQ(refused.status, 401U);
    EXPECT_THAT(refused.body, AllOf(HasSubstr("not the code that we sent last"), HasSubstr("checked")));
  }
  const auto ended = ana.submit("/sign-in/code", {{"code", code}});
  EXPECT_EQ(ended.status, 401U);
  EXPECT_THAT(ended.body, AllOf(HasSubstr("too many wrong codes"), HasSubstr("<h1>Sign in</h1>")));
  EXPECT_FALSE(ana.browser().has_cookie("roost_challenge"));
  EXPECT_EQ(ana.open("/sign-in/code").header("location"), "/sign-in?notice=start-again");
}

TEST_P(Pages, SendAnotherCodeThreeTimes) {
  management_fixture fixture(GetParam());
  auto ana = visit(fixture);
  ana.open("/sign-in");
  ana.submit("/sign-in", right_password);
  for (std::size_t sent = 2; sent <= 4; ++sent) {
    ana.open("/sign-in/code");
    EXPECT_EQ(ana.submit("/sign-in/resend").header("location"), "/sign-in/code?notice=code-sent");
    EXPECT_THAT(ana.open("/sign-in/code?notice=code-sent").body,
                AllOf(HasSubstr("Another code is on its way."), HasSubstr("data-wait=\"30\"")));
    EXPECT_FALSE(mailed_code(fixture.place, sent).empty());
  }
  EXPECT_THAT(ana.submit("/sign-in/resend").body, HasSubstr("No further code can be sent"));
}

TEST_P(Pages, RememberABrowserOnRequest) {
  management_fixture fixture(GetParam());
  auto ana = visit(fixture);
  ana.sign_in(fixture, true);
  ana.open("/account");
  EXPECT_EQ(ana.submit("/account/sign-out").header("location"), "/sign-in?notice=signed-out");
  EXPECT_THAT(ana.open("/sign-in?notice=signed-out").body, HasSubstr("You are signed out."));
  EXPECT_EQ(ana.submit("/sign-in", right_password).header("location"), "/account");
  EXPECT_EQ(ana.open("/account").status, 200U);
}

TEST_P(Pages, ListRememberedBrowsersAndForgetThemOneByOne) {
  management_fixture fixture(GetParam());
  auto here = visit(fixture), there = visit(fixture, "Chrome/140 (Android)");
  here.sign_in(fixture, true);
  EXPECT_THAT(here.open("/account").body, AllOf(HasSubstr("Forget Firefox on Windows, remembered "),
                                                Not(HasSubstr("Forget Chrome on Android"))));
  there.sign_in(fixture, true);
  const auto page = here.open("/account").body;
  const std::string path = "/account/browsers/";
  const auto newest = page.find(path); // the latest comes first
  ASSERT_NE(newest, std::string::npos);
  EXPECT_THAT(page, HasSubstr("Forget Chrome on Android, remembered "));
  const auto forget = path + page.substr(newest + path.size(), 36) + "/forget";
  EXPECT_EQ(here.submit(forget).header("location"), "/account?notice=browser-forgotten");
  EXPECT_THAT(here.open("/account?notice=browser-forgotten").body,
              AllOf(HasSubstr("The browser was forgotten."), HasSubstr("Forget Firefox on Windows"),
                    Not(HasSubstr("Forget Chrome on Android"))));
  EXPECT_EQ(here.submit("/account/browsers/nonsense/forget").status, 404U);
  there.open("/account");
  there.submit("/account/sign-out");
  there.open("/sign-in");
  EXPECT_EQ(there.submit("/sign-in", right_password).header("location"), "/sign-in/code");
  here.open("/account");
  here.submit("/account/sign-out");
  here.open("/sign-in");
  EXPECT_EQ(here.submit("/sign-in", right_password).header("location"), "/account");
}

TEST_P(Pages, ForgetNoBrowserOfAnotherUser) {
  management_fixture fixture(GetParam());
  auto ana = visit(fixture);
  ana.sign_in(fixture, true);
  ana.open("/account");
  EXPECT_EQ(ana.submit("/account/browsers/22222222-0000-4000-8000-000000000009/forget").status, 303U);
  EXPECT_THAT(ana.open("/account").body, HasSubstr("Forget Firefox on Windows"));
}

TEST_P(Pages, EndASessionWhoseReplacedCookieIsReused) {
  management_fixture fixture(GetParam(), {{"sessions.refresh_grace", "\"0s\""}});
  auto ana = visit(fixture), thief = visit(fixture);
  ana.sign_in(fixture);
  const auto stolen = ana.browser().cookie(session_cookie);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ana.browser().post("/auth/refresh").status, 201U);
  EXPECT_EQ(ana.open("/account").status, 200U);
  thief.browser().set_cookie(session_cookie, stolen);
  EXPECT_EQ(thief.open("/account").header("location"), "/sign-in");
  fixture.server->wait_for_event("refresh_token_reused");
  EXPECT_EQ(fixture.server->metric(R"(roost_session_refreshes_total{result="reused"})"), 1);
  EXPECT_EQ(ana.open("/account").header("location"), "/sign-in");
}

TEST_P(Pages, RefuseForeignForms) {
  const management_fixture fixture(GetParam());
  auto ana = visit(fixture), other = visit(fixture);
  const auto is_refused = [](const raw_response& response) {
    EXPECT_EQ(response.status, 403U);
    EXPECT_EQ(response.header("content-type"), "text/html; charset=utf-8");
    return response.status == 403 && response.body.find("<h1>That is not allowed</h1>") != std::string::npos;
  };
  const auto others_value = hidden_value(other.open("/sign-in"), "form");
  ana.open("/sign-in");
  EXPECT_TRUE(is_refused(ana.browser().send("POST", "/sign-in", form_text(right_password))));
  auto with_others = right_password;
  with_others.emplace_back("form", others_value);
  EXPECT_TRUE(is_refused(ana.browser().send("POST", "/sign-in", form_text(with_others))));
  EXPECT_TRUE(is_refused(ana.submit("/sign-in", right_password, {{"Origin", "https://evil.example"}})));
  EXPECT_TRUE(is_refused(ana.submit("/sign-in", right_password, {{"Sec-Fetch-Site", "cross-site"}})));
  EXPECT_EQ(ana.submit("/sign-in", right_password, {{"Origin", "http://127.0.0.1:8080"}}).status, 303U);
}

TEST_P(Pages, OpenFromLinksOfOtherSites) {
  const management_fixture fixture(GetParam());
  EXPECT_EQ(fixture.browser().send("GET", "/sign-in", "", {{"Sec-Fetch-Site", "cross-site"}}).status, 200U);
}

TEST_P(Pages, RedirectUnauthenticatedVisitorsToSignIn) {
  const management_fixture fixture(GetParam());
  auto visitor = visit(fixture);
  EXPECT_EQ(visitor.open("/account").header("location"), "/sign-in");
  EXPECT_EQ(visitor.open("/account/ai-usage").header("location"), "/sign-in");
  visitor.browser().set_cookie(session_cookie, "22222222-0000-4000-8000-000000000001.1.key.forged");
  EXPECT_EQ(visitor.open("/account").header("location"), "/sign-in");
}

TEST_P(Pages, ResetAPasswordByAMailedLinkOnce) {
  management_fixture fixture(GetParam());
  auto elsewhere = visit(fixture);
  elsewhere.sign_in(fixture);
  auto ana = visit(fixture);
  ana.open("/forgot-password");
  EXPECT_EQ(ana.submit("/forgot-password", {{"email", "no address"}}).status, 400U);
  EXPECT_EQ(ana.submit("/forgot-password", {{"email", "nobody@casaverde.example"}}).header("location"),
            "/sign-in?notice=reset-sent");
  EXPECT_EQ(ana.submit("/forgot-password", {{"email", "ana@casaverde.example"}}).header("location"),
            "/sign-in?notice=reset-sent");
  std::string link;
  ASSERT_TRUE(eventually([&] {
    for (const auto& mail : fixture.place.mails())
      if (const auto text = mail::decode(mail).parts.at("text/plain; charset=utf-8");
          text.find("/reset-password?") != std::string::npos) {
        const auto begin = text.find("/reset-password?");
        link = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
      }
    return !link.empty();
  }));
  const auto page = ana.open(link);
  EXPECT_EQ(page.status, 200U);
  const auto token = hidden_value(page, "token");
  EXPECT_EQ(ana.submit("/reset-password", {{"token", token}, {"password", "short"}}).status, 400U);
  const auto common = ana.submit("/reset-password", {{"token", token}, {"password", "Password1"}});
  EXPECT_EQ(common.status, 400U);
  EXPECT_THAT(common.body, HasSubstr("one of the most common ones"));
  EXPECT_EQ(ana.submit("/reset-password", {{"token", token}, {"password", "brand-new"}}).header("location"),
            "/sign-in?notice=password-changed");
  EXPECT_EQ(elsewhere.open("/account").header("location"), "/sign-in");
  ana.open("/sign-in");
  EXPECT_EQ(ana.submit("/sign-in", right_password).status, 401U);
  EXPECT_EQ(ana.submit("/sign-in", {{"email", "ana@casaverde.example"}, {"password", "brand-new"}}).status,
            303U);
  ana.open(link);
  const auto again = ana.submit("/reset-password", {{"token", token}, {"password", "another-one"}});
  EXPECT_EQ(again.status, 400U);
  EXPECT_THAT(again.body, AllOf(HasSubstr("no longer valid"), HasSubstr("Request a new link")));
  EXPECT_EQ(ana.open("/reset-password").status, 400U);
}

TEST_P(Pages, EndOtherSessionsAndTheirOwn) {
  management_fixture fixture(GetParam());
  auto here = visit(fixture), there = visit(fixture, "Chrome/140 (Android)");
  here.sign_in(fixture);
  there.sign_in(fixture);
  const auto session_of = [](page_visit& visitor) {
    return visitor.browser().cookie(session_cookie).substr(0, 36);
  };
  EXPECT_THAT(here.open("/account").body,
              HasSubstr("aria-label=\"End the session of Chrome on Android at 127.0.0.1\""));
  EXPECT_EQ(here.submit("/account/sessions/" + session_of(there) + "/end").header("location"),
            "/account?notice=session-ended");
  EXPECT_EQ(there.open("/account").header("location"), "/sign-in");
  EXPECT_THAT(here.open("/account").body, Not(HasSubstr("Chrome")));
  EXPECT_EQ(here.submit("/account/sessions/nonsense/end").status, 404U);
  EXPECT_EQ(here.submit("/account/sessions/" + session_of(here) + "/end").header("location"),
            "/sign-in?notice=signed-out");
  EXPECT_EQ(here.open("/account").header("location"), "/sign-in");
}

TEST_P(Pages, ChangeThePasswordWithTheOldOne) {
  management_fixture fixture(GetParam());
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  ana.open("/account");
  const auto wrong = ana.submit("/account/password", {{"old", "wrong-one"}, {"new", "brand-new"}});
  EXPECT_EQ(wrong.status, 401U);
  EXPECT_THAT(wrong.body, HasSubstr("Nothing was changed."));
  EXPECT_EQ(ana.submit("/account/password", {{"old", "ana-only"}, {"new", "short"}}).status, 400U);
  EXPECT_EQ(ana.submit("/account/password", {{"old", "ana-only"}, {"new", "brand-new"}}).header("location"),
            "/sign-in?notice=password-changed");
  EXPECT_FALSE(ana.browser().has_cookie(session_cookie));
  ana.open("/sign-in");
  EXPECT_EQ(ana.submit("/sign-in", {{"email", "ana@casaverde.example"}, {"password", "brand-new"}})
                .header("location"),
            "/sign-in/code");
}

TEST_P(Pages, ShareRateLimitsWithTheApiAndReportThem) {
  const management_fixture fixture(GetParam(), {{"rate_limits.login", "2"}});
  auto ana = visit(fixture);
  ana.browser().post("/auth/login", login_json("ana@casaverde.example", "wrong-one"));
  ana.open("/sign-in");
  EXPECT_EQ(ana.submit("/sign-in", right_password).status, 303U);
  const auto refused = ana.submit("/sign-in", right_password);
  EXPECT_EQ(refused.status, 429U);
  EXPECT_EQ(refused.header("content-type"), "text/html; charset=utf-8");
  EXPECT_GT(std::stoi(refused.header("retry-after")), 50);
  EXPECT_THAT(refused.body, HasSubstr("Please try again in " + refused.header("retry-after") + " seconds."));
}

} // namespace roost::testing::pages_test
