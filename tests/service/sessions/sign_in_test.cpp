#include "service/support/web_browser.hpp"
#include "service/support/workplace.hpp"
#include "support/identity_issuer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

/// Signing in, from the first step to the session (Management API, States and transitions).
namespace roost::testing::sign_in_test {
using ::testing::HasSubstr;
ROOST_FOR_EACH_STORE(SignIn);
ROOST_FOR_SQLITE(SignInOverHttp);

const std::string no_credentials = unauthorized("Invalid credentials");

std::string with_reason(const std::string& message, const std::string& reason) {
  auto body = unauthorized(message);
  return body.substr(0, body.size() - 1) + R"(,"reason":")" + reason + R"("})";
}
std::string bad_code(const std::string& reason) {
  return with_reason("That code is not valid. Request a new one and try again.", reason);
}
std::string bad_attempt(const std::string& reason) {
  return with_reason("That sign-in attempt has expired. Go back and enter your password again.", reason);
}
std::string token_json(const std::string& token) { return R"({"challengeToken":")" + token + R"("})"; }

TEST_P(SignIn, RequiresTheMailedCodeToStartASession) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto opened = browser.post("/auth/login", login_json("Ana@CasaVerde.example", "ana-only"));
  ASSERT_EQ(opened.status, 201U) << opened.body;
  EXPECT_EQ(json_at(opened.body, "/otpRequired"), "true");
  EXPECT_EQ(string_at(opened, "/maskedEmail"), "a***@casaverde.example");
  EXPECT_FALSE(browser.has_cookie(session_cookie));
  const auto started = browser.post(
      "/auth/verify-otp", code_json(string_at(opened, "/challengeToken"), mailed_code(fixture.place, 1)));
  ASSERT_EQ(started.status, 200U) << started.body;
  EXPECT_EQ(
      json_at(started.body, "/user"),
      R"({"id":"22222222-0000-4000-8000-000000000001","email":"ana@casaverde.example","firstName":"Ana",)"
      R"("lastName":"Robledo","role":"Admin","accountId":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",)"
      R"("ownerId":null,"hasProperties":null})");
  EXPECT_EQ(
      json_at(started.body, "/account"),
      R"({"id":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001","companyName":"Casa Verde Rentals","logoUrl":null})");
  EXPECT_THAT(started.header("set-cookie"), HasSubstr("; Path=/; HttpOnly; SameSite=Lax"));
  EXPECT_EQ(started.header("cache-control"), "no-store");
  const auto me = browser.get("/auth/me", string_at(started, "/token"));
  EXPECT_EQ(me.status, 200U);
  EXPECT_EQ(json_at(me.body, "/user"), json_at(started.body, "/user"));
  EXPECT_EQ(json_at(me.body, "/preferences"), R"({"language":"en"})");
}

TEST_P(SignIn, AcceptsAnAddressInAnySpelling) {
  for (const auto* stored : {"rené@münchen.example", "rene\u0301@xn--mnchen-3ya.example"}) {
    const management_fixture fixture(
        GetParam(), {}, {{account_pointer + "/users/0/email", std::string("\"") + stored + '"'}});
    for (const auto* typed :
         {"rené@münchen.example", "RENE\u0301@mu\u0308nchen.example", "ren\u00e9@xn--mnchen-3ya.example"}) {
      auto browser = fixture.browser();
      const auto opened = browser.post("/auth/login", login_json(typed, "ana-only"));
      EXPECT_EQ(opened.status, 201U) << stored << ' ' << typed << ' ' << opened.body;
    }
    EXPECT_NO_THROW(fixture.place.run_or_throw({"user", "password", "RENE\u0301@xn--mnchen-3ya.example"},
                                               "another-one\n"));
  }
}

TEST_P(SignIn, DoesNotRevealWhetherAnAddressIsKnown) {
  const management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  for (const auto* email : {"ana@casaverde.example", "nobody@casaverde.example"}) {
    const auto refused = browser.post("/auth/login", login_json(email, "wrong-one"));
    EXPECT_EQ(refused.status, 401U);
    EXPECT_EQ(refused.body, no_credentials);
  }
  EXPECT_TRUE(fixture.place.mails().empty());
}

TEST_P(SignIn, ReportsADeactivatedUserOnlyForTheRightPassword) {
  const management_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(1, {{account_pointer + "/users/0/deactivated", "true"}}));
  auto browser = fixture.browser();
  EXPECT_EQ(browser.post("/auth/login", login_json("ana@casaverde.example", "wrong-one")).body,
            no_credentials);
  EXPECT_EQ(browser.post("/auth/login", login_json("ana@casaverde.example", "ana-only")).body,
            unauthorized("Account deactivated"));
}

TEST_P(SignIn, RefusesAUserWhoNeverSetAPassword) {
  const management_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(1, {{account_pointer + "/users/0/password", "null"}}));
  auto browser = fixture.browser();
  EXPECT_EQ(browser.post("/auth/login", login_json("ana@casaverde.example", "ana-only")).body,
            no_credentials);
}

TEST_P(SignIn, RefusesTheRightCodeAfterFiveWrongOnes) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = fixture.challenge(browser);
  const auto code = mailed_code(fixture.place, 1);
  for (int i = 0; i < 5; ++i) {
    const auto refused = browser.post("/auth/verify-otp", code_json(token, wrong_code(code)));
    EXPECT_EQ(refused.status, 401U);
    EXPECT_EQ(refused.body, bad_code("invalid_code"));
  }
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(token, code)).body, bad_code("too_many_attempts"));
  EXPECT_EQ(browser.post("/auth/resend-otp", token_json(token)).body, bad_attempt("too_many_attempts"));
}

TEST_P(SignIn, LimitsFiftyConcurrentGuessersToFiveCodes) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = fixture.challenge(browser);
  const auto code = mailed_code(fixture.place, 1);
  std::atomic<int> tried{0};
  std::vector<std::thread> guessers;
  for (int i = 0; i < 50; ++i)
    guessers.emplace_back([&] {
      auto guesser = fixture.browser();
      const auto refused = guesser.post("/auth/verify-otp", code_json(token, wrong_code(code)));
      if (refused.body == bad_code("invalid_code")) ++tried;
    });
  for (auto& guesser : guessers) guesser.join();
  EXPECT_EQ(tried, 5);
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(token, code)).body, bad_code("too_many_attempts"));
}

TEST_P(SignInOverHttp, IsLoggedWithItsClientAndItsRequest) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto expect_logged = [&](const char* event, const raw_response& response) {
    fixture.server->wait_for_event(
        event, {{"remote", "127.0.0.1"}, {"request_id", response.header("x-request-id")}});
  };
  expect_logged("sign_in_refused",
                browser.post("/auth/login", R"({"email":"ana@casaverde.example","password":"not hers"})"));
  expect_logged("sign_in_code_sent",
                browser.post("/auth/login", R"({"email":"ana@casaverde.example","password":"ana-only"})"));
  expect_logged("sign_in_refused", browser.post("/auth/verify-otp", code_json("t", "123456")));
  expect_logged("sign_in_refused", browser.post("/auth/resend-otp", token_json("t")));
  expect_logged("password_reset_asked",
                browser.post("/auth/forgot-password", R"({"email":"ana@casaverde.example"})"));
  expect_logged("password_change_refused",
                browser.post("/auth/reset-password", R"({"token":"t","password":"another one"})"));
  const auto token = fixture.challenge(browser);
  const auto code = mailed_code(fixture.place, 2);
  expect_logged("signed_in", browser.post("/auth/verify-otp", code_json(token, code)));
  expect_logged("session_ended", browser.post("/auth/logout", ""));
}

TEST_P(SignIn, AcceptsACodeOnlyOnce) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = fixture.challenge(browser);
  const auto code = mailed_code(fixture.place, 1);
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(token, code)).status, 200U);
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(token, code)).body, bad_code("consumed"));
  EXPECT_EQ(browser.post("/auth/resend-otp", token_json(token)).body, bad_attempt("consumed"));
}

TEST_P(SignIn, RefusesAnUnknownChallenge) {
  const management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json("t", "123456")).body, bad_code("not_found"));
  EXPECT_EQ(browser.post("/auth/resend-otp", token_json("t")).body, bad_attempt("not_found"));
}

TEST_P(SignIn, ResendsACodeThreeTimesWithFiveAttemptsEach) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = fixture.challenge(browser);
  std::string code = mailed_code(fixture.place, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    for (int wrong = 0; wrong < 3; ++wrong)
      browser.post("/auth/verify-otp", code_json(token, wrong_code(code)));
    const auto sent = browser.post("/auth/resend-otp", token_json(token));
    ASSERT_EQ(sent.status, 200U) << sent.body;
    EXPECT_FALSE(string_at(sent, "/message").empty());
    EXPECT_FALSE(string_at(sent, "/expiresAt").empty());
    const auto before = std::exchange(code, mailed_code(fixture.place, i + 2));
    if (before != code) {
      EXPECT_EQ(browser.post("/auth/verify-otp", code_json(token, before)).body, bad_code("invalid_code"));
    }
  }
  EXPECT_EQ(browser.post("/auth/resend-otp", token_json(token)).body, bad_attempt("too_many_resends"));
  EXPECT_EQ(browser.post("/auth/resend-otp", token_json(token)).body, bad_attempt("too_many_resends"));
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(token, code)).body, bad_code("expired"));
}

TEST_P(SignIn, InvalidatesTheEarlierCode) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto earlier = fixture.challenge(browser);
  const auto earlier_code = mailed_code(fixture.place, 1);
  const auto later = fixture.challenge(browser);
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(earlier, earlier_code)).body, bad_code("expired"));
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(later, mailed_code(fixture.place, 2))).status, 200U);
}

TEST_P(SignIn, LimitsAUserToFiveCodesInFifteenMinutes) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  std::string token;
  for (int i = 0; i < 5; ++i) token = fixture.challenge(browser);
  const auto refused = browser.post("/auth/login", login_json("ana@casaverde.example", "ana-only"));
  EXPECT_EQ(refused.status, 429U);
  EXPECT_EQ(json_at(refused.body, "/message"),
            R"("Too many login codes requested. Please wait before trying again.")");
  EXPECT_EQ(browser.post("/auth/resend-otp", token_json(token)).status, 429U);
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(token, mailed_code(fixture.place, 5))).status, 200U)
      << "the last code is still valid";
}

TEST_P(SignIn, RefusesAnExpiredCode) {
  management_fixture fixture(GetParam(), {{"sessions.code", "\"1s\""}});
  auto browser = fixture.browser();
  const auto opened = browser.post("/auth/login", login_json("ana@casaverde.example", "ana-only"));
  const auto token = string_at(opened, "/challengeToken"), expires_at = string_at(opened, "/expiresAt");
  const auto code = mailed_code(fixture.place, 1);
  const auto now = [] {
    return domain::to_string(std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
  };
  EXPECT_TRUE(eventually([&] { return now() >= expires_at; }));
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(token, code)).body, bad_code("expired"));
  EXPECT_EQ(browser.post("/auth/resend-otp", token_json(token)).body, bad_attempt("expired"));
}

TEST_P(SignIn, SkipsTheCodeInARememberedBrowser) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  fixture.sign_in(browser, true);
  ASSERT_TRUE(browser.has_cookie(browser_cookie));
  const auto again = browser.post("/auth/login", login_json("ana@casaverde.example", "ana-only"));
  EXPECT_EQ(again.status, 201U);
  EXPECT_FALSE(string_at(again, "/token").empty());
  auto other = fixture.browser();
  other.set_cookie(browser_cookie, "made-up");
  EXPECT_EQ(json_at(other.post("/auth/login", login_json("ana@casaverde.example", "ana-only")).body,
                    "/otpRequired"),
            "true");
}

TEST_P(SignIn, RemembersABrowserOnlyForItsUser) {
  management_fixture fixture(GetParam());
  fixture.place.import(portfolio_of(
      1,
      {{account_pointer + "/users/1",
        R"({"id":"22222222-0000-4000-8000-000000000002","email":"rui@casaverde.example","password":"rui-only",)"
        R"("role":"Manager"})"}}));
  auto browser = fixture.browser();
  fixture.sign_in(browser, true);
  EXPECT_EQ(json_at(browser.post("/auth/login", login_json("rui@casaverde.example", "rui-only")).body,
                    "/otpRequired"),
            "true");
}

TEST_P(SignIn, NotifiesTheUserOfANewBrowser) {
  management_fixture fixture(GetParam());
  const std::string known_cookie = "roost_known";
  auto first = fixture.browser();
  fixture.sign_in(first);
  const auto notices = [&] {
    std::size_t count = 0;
    for (const auto& mail : fixture.place.mails()) count += mail.find("sign-in code") == std::string::npos;
    return count;
  };
  const auto token = first.cookie(known_cookie);
  fixture.sign_in(first); // with a code: the cookie skips nothing
  EXPECT_EQ(first.cookie(known_cookie), token);
  auto other = fixture.browser();
  other.set_cookie(known_cookie, "made-up");
  fixture.sign_in(other);
  EXPECT_NE(other.cookie(known_cookie), "made-up");
  EXPECT_TRUE(eventually([&] { return notices() == 1; }));
  page_visit page(fixture.browser());
  page.sign_in(fixture);
  EXPECT_TRUE(page.browser().has_cookie(known_cookie));
  EXPECT_TRUE(eventually([&] { return notices() == 2; }));
}

TEST_P(SignIn, StoresNeitherCodesNorMailsWithCodes) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  fixture.challenge(browser);
  const auto code = mailed_code(fixture.place, 1);
  EXPECT_TRUE(eventually([&] {
    return store_rows(fixture.place.store().open(),
                      "select count(*) from outgoing_mail where sent_at is not null and subject = ''"
                      " and text_body = '' and html_body = ''",
                      1) == std::vector<std::string>{"1"};
  }));
  for (const auto& seal :
       store_rows(fixture.place.store().open(), "select code_seal from sign_in_challenges", 1))
    EXPECT_EQ(seal.find(code), std::string::npos);
}

TEST_P(SignInOverHttp, RefusesRequestsOfOtherSites) {
  const management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto refused = browser.post("/auth/login", login_json("ana@casaverde.example", "ana-only"),
                                    {{"Origin", "https://evil.example"}});
  EXPECT_EQ(refused.status, 403U);
  EXPECT_EQ(refused.body, error_body(403, "Forbidden resource", "ForbiddenException"));
}

TEST_P(SignInOverHttp, LimitsAnAddressToTenLoginsAMinute) {
  const management_fixture fixture(GetParam(), {{"rate_limits.login", "10"}});
  auto browser = fixture.browser();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(browser.post("/auth/login", "{}").status, 400U);
  const auto refused = browser.post("/auth/login", "{}");
  EXPECT_EQ(refused.status, 429U);
  EXPECT_EQ(refused.body, error_body(429, "ThrottlerException: Too Many Requests", "ThrottlerException"));
  EXPECT_GT(std::stoi(refused.header("retry-after")), 50);
}

/// Restarts the server so that it accepts identity tokens with this key.
void accept_identities(management_fixture& fixture, const identity_issuer_key& key) {
  const auto keys = fixture.place.folder().write("keys.json", jwk_set({key.jwk()}));
  fixture.place.set("sessions.identity_jwks", '"' + keys.string() + '"');
  fixture.place.set("sessions.identity_issuer", R"("https://id.example")");
  fixture.place.set("sessions.identity_audience", R"("roost-web")");
  fixture.server.reset();
  fixture.server.emplace(fixture.place);
}

TEST_P(SignInOverHttp, RefusesIdentityTokensWithoutConfiguration) {
  const management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  EXPECT_EQ(browser.post("/auth/google", R"({"idToken":"x"})").body, unauthorized("Unauthorized"));
}

TEST_P(SignIn, AcceptsAnIdentityTokenOnce) {
  const auto key = identity_issuer_key::ec("first");
  management_fixture fixture(GetParam());
  accept_identities(fixture, key);
  auto browser = fixture.browser();
  const auto body = R"({"idToken":")" +
                    key.token(R"({"iss":"https://id.example","aud":"roost-web","sub":"1","exp":32503680000,)"
                              R"("email":"ana@casaverde.example","email_verified":true})") +
                    R"("})";
  EXPECT_EQ(browser.post("/auth/google", body).status, 201U);
  EXPECT_EQ(browser.post("/auth/google", body).status, 401U);
  EXPECT_EQ(fixture.server->metric(R"(roost_sign_in_events_total{event="identity_token_used"})"), 1);
}

TEST_P(SignInOverHttp, LogsRefusedIdentityTokensWithoutTheirContents) {
  const auto key = identity_issuer_key::ec("first");
  management_fixture fixture(GetParam());
  accept_identities(fixture, key);
  auto browser = fixture.browser();
  const auto token = key.token(R"({"iss":"https://id.example","aud":"another"})");
  const auto refused = browser.post("/auth/google", R"({"idToken":")" + token + R"("})");
  EXPECT_EQ(refused.body, unauthorized("Unauthorized"));
  EXPECT_EQ(fixture.server->wait_for_event("identity_token_refused").fields,
            (event_fields{{"reason", "wrong_audience"},
                          {"remote", "127.0.0.1"},
                          {"request_id", refused.header("x-request-id")}}));
  EXPECT_EQ(fixture.server->metric(R"(roost_identity_tokens_total{outcome="wrong_audience"})"), 1);
}

TEST_P(SignInOverHttp, WarnsAtStartupOfMissingThirdPartyKeys) {
  management_fixture fixture(GetParam());
  const auto keys = (fixture.place.folder() / "nix.json").string();
  fixture.place.set("sessions.identity_jwks", '"' + keys + '"');
  fixture.place.set("sessions.identity_issuer", R"("https://id.example")");
  fixture.place.set("sessions.identity_audience", R"("roost-web")");
  fixture.server.reset();
  fixture.server.emplace(fixture.place);
  EXPECT_EQ(fixture.server->wait_for_event("identity_keys_unreadable").at("what"),
            "cannot read " + keys + ": No such file or directory");
}

TEST_P(SignIn, LimitsGuessesToFiveCodesDuringAFailover) {
  management_fixture fixture(GetParam());
  auto browser = fixture.browser();
  const auto token = fixture.challenge(browser);
  const auto code = mailed_code(fixture.place, 1);
  running_roost other(fixture.place, started::listening);
  std::atomic<int> tried{0};
  std::atomic<bool> stopped{false};
  std::vector<std::thread> guessers;
  for (int i = 0; i < 20; ++i)
    guessers.emplace_back([&, i] {
      for (int n = 0; !stopped && n < 400; ++n) {
        web_browser guesser((n + i) % 2 ? fixture.server->port() : other.port());
        try {
          if (guesser.post("/auth/verify-otp", code_json(token, wrong_code(code))).body ==
              bad_code("invalid_code"))
            ++tried;
        } catch (const std::runtime_error&) { // that server has stopped
        }
      }
    });
  EXPECT_TRUE(eventually([&] { return tried > 0; }));
  fixture.server->stop();
  other.wait_until_ready();
  browser.set_port(other.port());
  EXPECT_EQ(browser.post("/auth/verify-otp", code_json(token, code)).body, bad_code("too_many_attempts"));
  stopped = true;
  for (auto& guesser : guessers) guesser.join();
  EXPECT_LE(tried, 5);
}

} // namespace roost::testing::sign_in_test
