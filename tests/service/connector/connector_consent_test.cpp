#include "service/support/assistant.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// The page on which a landlord authorizes an assistant (Management API, Consent page).
namespace roost::testing::connector_consent_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
ROOST_FOR_EACH_STORE(Consent);
ROOST_FOR_SQLITE(ConsentPage);

page_visit visit(const management_fixture& fixture) { return page_visit(fixture.browser()); }

std::string location(const raw_response& response) { return response.header("location"); }

TEST_P(ConsentPage, ShowsTheClientItsRequestAndTheUser) {
  auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto page = ana.open(helper.consent_path());
  EXPECT_EQ(page.status, 200U);
  EXPECT_THAT(page.body,
              AllOf(HasSubstr("<h1>Authorize Rent Helper</h1>"), HasSubstr("<dd>http://127.0.0.1:4711</dd>"),
                    HasSubstr("<dd>https://tools.example/mcp</dd>"),
                    HasSubstr("<dd>ana@casaverde.example</dd>"), HasSubstr("<dd>Casa Verde Rentals</dd>"),
                    HasSubstr("<span>Bookings</span> <span class=\"badge\">Read-only</span>"),
                    HasSubstr("<span>Team</span> <span class=\"badge\">Edit</span>"),
                    HasSubstr("value=\"authorize\">Authorize</button>"), HasSubstr("Switch account"),
                    HasSubstr("It runs on your own computer"), Not(HasSubstr("Listings"))));
  EXPECT_THAT(page.body, Not(HasSubstr("type=\"password\"")));
  EXPECT_THAT(page.header("content-security-policy"),
              AllOf(HasSubstr("frame-ancestors 'none'"), HasSubstr("default-src 'none'"),
                    HasSubstr("form-action 'self' https: http://127.0.0.1:4711")));
  EXPECT_EQ(page.header("x-frame-options"), "DENY");
  EXPECT_EQ(page.header("cache-control"), "no-store");
}

TEST_P(Consent, RedirectsToTheClientWithACodeAndTheState) {
  auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto done = helper.decide(ana, "authorize", {{"state", "a+b &=%/\r\nX: y"}});
  EXPECT_EQ(done.status, 302U);
  EXPECT_THAT(location(done), StartsWith(loopback_redirect + "?code="));
  EXPECT_EQ(query_parameter(location(done), "state"), "a+b &=%/\r\nX: y");
  EXPECT_EQ(query_parameter(location(done), "iss"), "http://127.0.0.1:8080");
  EXPECT_EQ(query_parameter(location(done), "code")->size(), 43U);
  EXPECT_EQ(done.header("cache-control"), "no-store");
}

TEST_P(ConsentPage, ReportsADenialToTheClient) {
  auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto done = helper.decide(ana, "cancel");
  EXPECT_EQ(done.status, 302U);
  EXPECT_EQ(query_parameter(location(done), "error"), "access_denied");
  EXPECT_EQ(query_parameter(location(done), "error_description"), "The landlord denied the request");
  EXPECT_EQ(query_parameter(location(done), "state"), "a state");
  EXPECT_TRUE(query_parameter(location(done), "iss"));
  EXPECT_FALSE(query_parameter(location(done), "code"));
}

TEST_P(ConsentPage, RequiresSigningInAndContinuesAfterwards) {
  auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto ana = visit(fixture);
  const auto path = helper.consent_path();
  const auto page = ana.open(path);
  EXPECT_EQ(page.status, 200U);
  EXPECT_THAT(page.body, AllOf(HasSubstr("Please sign in first."), HasSubstr(">Cancel</button>"),
                               Not(HasSubstr("value=\"authorize\"")), Not(HasSubstr("Switch account"))));
  const auto link = page.body.find("/sign-in?to=");
  ASSERT_NE(link, std::string::npos);
  ana.open(page.body.substr(link, page.body.find('"', link) - link));
  ana.submit("/sign-in", {{"email", "ana@casaverde.example"}, {"password", "ana-only"}});
  ana.open("/sign-in/code");
  const auto done = ana.submit("/sign-in/code", {{"code", mailed_code(fixture.place, 1)}});
  EXPECT_EQ(location(done), path);
  EXPECT_THAT(ana.open(location(done)).body, HasSubstr("ana@casaverde.example"));
}

TEST_P(ConsentPage, CanBeCancelledWithoutSigningIn) {
  const auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto visitor = visit(fixture);
  const auto done = helper.decide(visitor, "cancel");
  EXPECT_EQ(query_parameter(location(done), "error"), "access_denied");
}

TEST_P(ConsentPage, LetsTheVisitorSwitchAccounts) {
  auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto page = ana.open(helper.consent_path());
  const auto out = ana.submit("/account/sign-out", {{"to", helper.consent_path()}});
  EXPECT_EQ(location(out), "/sign-in?notice=signed-out");
  ana.open("/sign-in?notice=signed-out");
  ana.submit("/sign-in", {{"email", "ana@casaverde.example"}, {"password", "ana-only"}});
  ana.open("/sign-in/code");
  const auto back = ana.submit("/sign-in/code", {{"code", mailed_code(fixture.place, 2)}});
  EXPECT_EQ(location(back), helper.consent_path());
}

TEST_P(ConsentPage, PreventsOpenRedirectsAfterSigningIn) {
  auto fixture = connector_fixture(GetParam());
  for (const auto* to :
       {"https://evil.example/", "//evil.example", "/\\evil.example", "/oauth/authorize", "/account",
        "/oauth/authorize/../../x?", "oauth/authorize?x", "/oauth/authorize?x\r\nSet-Cookie: a=b"}) {
    auto ana = visit(fixture);
    ana.open("/sign-in?to=" + url_encoded(to));
    ana.submit("/sign-in", {{"email", "ana@casaverde.example"}, {"password", "ana-only"}});
    ++fixture.codes;
    ana.open("/sign-in/code");
    const auto done = ana.submit("/sign-in/code", {{"code", mailed_code(fixture.place, fixture.codes)}});
    EXPECT_EQ(location(done), "/account") << to;
    if (fixture.codes == 4) break; // five codes in fifteen minutes
  }
}

TEST_P(ConsentPage, ReportsAnEndedSessionToTheClient) {
  auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto fields = helper.decision_on(ana.open(helper.consent_path()), "authorize");
  auto elsewhere = ana.browser();
  elsewhere.post("/auth/logout");
  const auto done = ana.browser().send("POST", "/oauth/authorize", form_text(fields));
  EXPECT_EQ(done.status, 302U);
  EXPECT_EQ(query_parameter(location(done), "error"), "access_denied");
  EXPECT_THAT(query_parameter(location(done), "error_description").value_or(""), HasSubstr("sign in again"));
}

TEST_P(ConsentPage, ReportsThatNoToolsAreEnabled) {
  auto fixture = connector_fixture(GetParam());
  fixture.place.run_or_throw({"ai-area", "set", account_id, "bookings", "off"});
  fixture.place.run_or_throw({"ai-area", "set", account_id, "Team", "Off"});
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto page = ana.open(helper.consent_path());
  EXPECT_THAT(page.body, AllOf(HasSubstr("No tool area is enabled"),
                               HasSubstr("value=\"authorize\" disabled"), HasSubstr(">Cancel</button>")));
  const auto done = helper.decide(ana, "authorize");
  EXPECT_EQ(query_parameter(location(done), "error"), "access_denied");
  EXPECT_THAT(query_parameter(location(done), "error_description").value_or(""),
              HasSubstr("Enable a tool area"));
}

TEST_P(Consent, IsValidForOneResponse) {
  auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto fields = helper.decision_on(ana.open(helper.consent_path()), "authorize");
  EXPECT_EQ(ana.browser().send("POST", "/oauth/authorize", form_text(fields)).status, 302U);
  const auto again = ana.browser().send("POST", "/oauth/authorize", form_text(fields));
  EXPECT_EQ(again.status, 400U);
  EXPECT_THAT(again.body, HasSubstr("<h1>Session expired</h1>"));
}

TEST_P(ConsentPage, ExpiresAsConfigured) {
  auto fixture = connector_fixture(GetParam(), {{"connector.consent_form", R"("1s")"}});
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto fields = helper.decision_on(ana.open(helper.consent_path()), "cancel");
  EXPECT_TRUE(eventually([&] {
    const auto response = ana.browser().send("POST", "/oauth/authorize", form_text(fields));
    return response.status == 400 && response.body.find("<h1>Session expired</h1>") != std::string::npos;
  }));
}

/// A form that expires later than any that could be open was opened while the clock was ahead.
TEST_P(ConsentPage, RefusesFormsOfTheFuture) {
  auto fixture = connector_fixture(GetParam(), {{"connector.consent_form", R"("1d")"}});
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto fields = helper.decision_on(ana.open(helper.consent_path()), "authorize");
  fixture.place.set("connector.consent_form", R"("15m")");
  fixture.server.reset();
  fixture.server.emplace(fixture.place);
  ana.browser().set_port(fixture.server->port());
  const auto response = ana.browser().send("POST", "/oauth/authorize", form_text(fields));
  EXPECT_EQ(response.status, 400U);
  EXPECT_THAT(response.body, HasSubstr("<h1>Session expired</h1>"));
}

TEST_P(ConsentPage, IsBoundToItsRequestAndSession) {
  auto fixture = connector_fixture(GetParam());
  fixture.place.run_or_throw({"tool-server-key", "issue", "--resource", "https://other.example"});
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto consent = hidden_value(ana.open(helper.consent_path()), "consent");
  const auto submit = [&](web_browser& browser, const std::map<std::string, std::string>& changes,
                          const std::string& value) {
    auto fields = helper.request(changes);
    fields.emplace_back("consent", value);
    fields.emplace_back("decision", "authorize");
    return browser.send("POST", "/oauth/authorize", form_text(fields));
  };
  const auto is_expired = [](const raw_response& response) {
    return response.status == 400 && response.body.find("<h1>Session expired</h1>") != std::string::npos;
  };
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"state", "another"},
                                          {"resource", "https://other.example"},
                                          {"scope", "x"},
                                          {"code_challenge", std::string(43, 'A')},
                                          {"redirect_uri", "http://127.0.0.1:9/callback"}})
    EXPECT_TRUE(is_expired(submit(ana.browser(), {{name, value}}, consent))) << name;
  for (const auto* forged : {"", "x", "a.b.c.d"})
    EXPECT_TRUE(is_expired(submit(ana.browser(), {}, forged))) << forged;
  auto other = visit(fixture);
  other.sign_in(fixture);
  EXPECT_TRUE(is_expired(submit(other.browser(), {}, consent))) << "the form of another session";
  EXPECT_EQ(submit(ana.browser(), {}, consent).status, 302U);
}

TEST_P(ConsentPage, RefusesFormsOfOtherSites) {
  auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto fields = helper.decision_on(ana.open(helper.consent_path()), "authorize");
  const auto refused =
      ana.browser().send("POST", "/oauth/authorize", form_text(fields), {{"Origin", "https://evil.example"}});
  EXPECT_EQ(refused.status, 403U);
  EXPECT_THAT(refused.body, HasSubstr("<h1>That is not allowed</h1>"));
}

TEST_P(ConsentPage, ShowsAnErrorPageForAnUnknownClientOrAddress) {
  const auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto visitor = visit(fixture);
  const auto unknown = visitor.open(helper.consent_path({{"client_id", "mcp-unknown"}}));
  EXPECT_EQ(unknown.status, 400U);
  EXPECT_THAT(unknown.body, AllOf(HasSubstr("<h1>Invalid request</h1>"), HasSubstr("remove the connection")));
  for (const auto* uri :
       {"", "http://127.0.0.1:4711/other", "https://evil.example/callback", "https://127.0.0.1:4711/callback",
        "http://localhost:4711/callback", "http://127.0.0.1.evil.example:4711/callback",
        "http://127.0.0.1:4711@evil.example/callback", "http://127.0.0.1:4711/callback#x",
        "//evil.example"}) {
    const auto page = visitor.open(helper.consent_path({{"redirect_uri", uri}, {"response_type", "token"}}));
    EXPECT_EQ(page.status, 400U) << uri;
    EXPECT_THAT(page.body, HasSubstr("<h1>Invalid request</h1>")) << uri;
    EXPECT_EQ(location(page), "") << uri;
  }
  const auto twice = visitor.open(helper.consent_path() + "&redirect_uri=https%3A%2F%2Fevil.example");
  EXPECT_EQ(twice.status, 400U);
  EXPECT_EQ(visitor.open("/oauth/authorize").status, 400U);
}

TEST_P(ConsentPage, AcceptsLoopbackOnAnyPort) {
  auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto ana = visit(fixture);
  ana.sign_in(fixture);
  const auto done = helper.decide(ana, "authorize", {{"redirect_uri", "http://127.0.0.1:59999/callback"}});
  EXPECT_THAT(location(done), StartsWith("http://127.0.0.1:59999/callback?code="));
}

TEST_P(ConsentPage, ReportsRequestErrorsToTheClient) {
  const auto fixture = connector_fixture(GetParam());
  const assistant helper(fixture);
  auto visitor = visit(fixture);
  const auto error_for = [&](const std::map<std::string, std::string>& changes) {
    const auto response = visitor.open(helper.consent_path(changes));
    EXPECT_EQ(response.status, 302U);
    EXPECT_THAT(location(response), StartsWith(loopback_redirect + "?"));
    EXPECT_TRUE(query_parameter(location(response), "iss"));
    EXPECT_TRUE(query_parameter(location(response), "error_description"));
    return query_parameter(location(response), "error").value_or("");
  };
  EXPECT_EQ(error_for({{"response_type", "token"}}), "unsupported_response_type");
  EXPECT_EQ(error_for({{"response_type", ""}}), "invalid_request");
  EXPECT_EQ(error_for({{"code_challenge", ""}}), "invalid_request");
  EXPECT_EQ(error_for({{"code_challenge", "short"}}), "invalid_request");
  EXPECT_EQ(error_for({{"code_challenge_method", "plain"}}), "invalid_request");
  EXPECT_EQ(error_for({{"code_challenge_method", ""}}), "invalid_request");
  EXPECT_EQ(error_for({{"resource", "not a url"}}), "invalid_target");
  EXPECT_EQ(error_for({{"resource", "https://tools.example/mcp#x"}}), "invalid_target");
  EXPECT_EQ(error_for({{"resource", "https://evil.example/mcp"}}), "invalid_target");
}

TEST_P(ConsentPage, EscapesMarkupOfClients) {
  const auto fixture = connector_fixture(GetParam());
  assistant helper(fixture);
  helper.register_as(R"({"client_name":"<img src=x onerror=alert(1)>\u0007\n{{base}}","redirect_uris":[")" +
                     loopback_redirect + R"("]})");
  auto visitor = visit(fixture);
  fixture.place.run_or_throw({"tool-server-key", "issue", "--resource", "https://a.example/%3Cscript%3E"});
  const auto page = visitor.open(
      helper.consent_path({{"state", "\"><script>"}, {"resource", "https://a.example/%3Cscript%3E"}}));
  EXPECT_EQ(page.status, 200U);
  EXPECT_THAT(page.body, AllOf(HasSubstr("&lt;img src=x"), Not(HasSubstr("<img")), Not(HasSubstr("<script>")),
                               HasSubstr("That is not this service")));
  helper.register_as(R"({"redirect_uris":[")" + loopback_redirect + R"("]})");
  EXPECT_THAT(visitor.open(helper.consent_path()).body, HasSubstr("<h1>Authorize a connector</h1>"));
}

TEST_P(ConsentPage, HasARateLimitPerAddress) {
  const auto fixture =
      connector_fixture(GetParam(), {{"rate_limits.authorize", "1"}, {"rate_limits.decision", "1"}});
  const assistant helper(fixture);
  auto visitor = visit(fixture);
  EXPECT_EQ(visitor.open(helper.consent_path()).status, 200U);
  const auto refused = visitor.open(helper.consent_path());
  EXPECT_EQ(refused.status, 429U);
  EXPECT_THAT(refused.header("content-type"), StartsWith("text/html"));
  EXPECT_FALSE(refused.header("retry-after").empty());
  const auto post = [&] { return visitor.browser().send("POST", "/oauth/authorize", "a=b"); };
  EXPECT_EQ(post().status, 400U);
  EXPECT_EQ(post().status, 429U);
}

} // namespace roost::testing::connector_consent_test
