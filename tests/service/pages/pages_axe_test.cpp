#include "service/support/assistant.hpp"
#include "service/support/headless_browser.hpp"
#include "service/support/json_text.hpp"
#include "service/support/running_roost.hpp"
#include "service/support/web_browser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

/// The pages in a browser, checked for users of screen readers and keyboards as well as for all others.
namespace roost::testing::pages_axe_test {
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::string axe() {
  std::ifstream file(ROOST_AXE);
  return {std::istreambuf_iterator<char>(file), {}};
}

class PagesInABrowser : public ::testing::Test {
protected:
  void SetUp() override {
    const auto port = std::to_string(free_port());
    base_ = "http://127.0.0.1:" + port;
    fixture_.emplace(
        store_kind::sqlite,
        std::map<std::string, std::string>{{"server.listen", "\"127.0.0.1:" + port + "\""},
                                           {"server.base_url", '"' + base_ + '"'}},
        std::vector<edit>{{account_pointer + "/aiAreas", R"({"bookings":"read-only","team":"edit"})"}});
  }

  void open(const std::string& path) { page_.open(base_ + path); }

  /// Waits for the focus, which the browser sets shortly after it has loaded the page.
  void wait_for_focus() {
    page_.wait_until("document.activeElement !== document.body || !document.querySelector('[autofocus]')");
  }

  std::string path() { return page_.evaluate("location.pathname"); }
  std::string focused() {
    wait_for_focus();
    return page_.evaluate("document.activeElement.id || document.activeElement.textContent");
  }
  std::string text() { return page_.evaluate("document.body.innerText"); }

  void fill(const std::string& id, const std::string& value) {
    wait_for_focus();
    page_.evaluate("document.getElementById('" + id + "').focus()");
    page_.type(value);
  }

  void enter_password(const std::string& password) {
    open("/sign-in");
    fill("email", "ana@casaverde.example");
    fill("password", password);
    page_.click_through("main button");
  }

  void enter_code() {
    fill("code", mailed_code(fixture_->place, ++fixture_->codes));
    page_.click_through("main button");
  }

  void sign_in() {
    enter_password("ana-only");
    enter_code();
  }

  /// Signs in on the current page.
  void sign_in_here() {
    fill("email", "ana@casaverde.example");
    fill("password", "ana-only");
    page_.click_through("main button");
    enter_code();
  }

  /// Expects that axe finds no violation and that the page fits, in both color schemes and at several
  /// widths.
  void expect_accessible(const std::string& page_name) {
    page_.evaluate(axe() + "; 0");
    for (const bool dark : {false, true})
      for (const int width : {320, 768, 1440}) {
        page_.emulate(width, 800, dark);
        const auto violations = page_.evaluate(
            "axe.run().then(found => found.violations.map(each => each.id + ' at ' +"
            " each.nodes.map(node => node.target + ' ' + node.failureSummary).join('; ')).join('\\n'))");
        EXPECT_EQ(violations, "\"\"") << page_name << (dark ? ", dark, " : ", light, ") << width;
        EXPECT_EQ(page_.evaluate("document.documentElement.scrollWidth <= innerWidth"), "true")
            << page_name << " is wider than " << width;
      }
    page_.emulate(1024, 800, false);
  }

  void expect_no_errors() {
    EXPECT_THAT(page_.console(), IsEmpty());
    EXPECT_THAT(page_.requested(), Each(StartsWith(base_ + "/")));
  }

  std::optional<management_fixture> fixture_;
  std::string base_;
  headless_browser page_;
};

TEST_F(PagesInABrowser, AreAccessibleInBothColorSchemesAndAtAnyWidth) {
  open("/sign-in");
  expect_accessible("sign-in");
  enter_password("ana-only");
  ++fixture_->codes; // mailed, but not entered
  expect_accessible("the code");
  open("/forgot-password");
  expect_accessible("forgotten password");
  open("/reset-password?token=abc");
  expect_accessible("reset password");
  sign_in();
  expect_accessible("account");
  fixture_->place.run_or_throw(
      {"usage", "import",
       fixture_->place.folder()
           .write(
               "usage.jsonl",
               R"({"id":"44444444-0000-4000-8000-000000000001","accountId":"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f0001",)"
               R"("feature":"landlord_chat","provider":"vendor","model":"model-1","inputTokens":1200,"outputTokens":34,)"
               R"("cacheCreationInputTokens":0,"cacheReadInputTokens":5,"cost":0.25,"currency":"USD","pricingSnapshot":)"
               R"({"currency":"USD","perMTok":{"input":3,"output":15}},"createdAt":"2026-11-01T10:00:00.000Z"})")
           .string()});
  open("/account/ai-usage?from=2026-10-01&to=2026-11-30");
  EXPECT_EQ(page_.evaluate("document.querySelectorAll('.chart rect').length"), "1");
  expect_accessible("AI usage");
  expect_no_errors();
}

TEST_F(PagesInABrowser, ShowConsentAccessiblyInEachState) {
  const assistant helper(*fixture_, "http://localhost:9/callback");
  const auto* const resource = "https://tools.example/a/rather/long/path/that/has/to/be/broken";
  fixture_->place.run_or_throw({"tool-server-key", "issue", "--resource", resource});
  const auto consent = helper.consent_path({{"resource", resource}});
  open(consent);
  EXPECT_THAT(text(), HasSubstr("Please sign in first."));
  expect_accessible("consent, signed out");
  page_.click_through("a.button");
  EXPECT_EQ(path(), "\"/sign-in\"");
  sign_in_here();
  EXPECT_EQ(path(), "\"/oauth/authorize\"");
  EXPECT_EQ(page_.evaluate("document.querySelectorAll('.areas li').length"), "2");
  expect_accessible("consent, signed in");
  open("/account");
  expect_accessible("account without connections");
  for (const auto* area : {"bookings", "team"})
    fixture_->place.run_or_throw({"ai-area", "set", account_id, area, "off"});
  open(consent);
  EXPECT_EQ(page_.evaluate("document.querySelector('button[value=authorize]').disabled"), "true");
  expect_accessible("consent, no tools");
  open("/oauth/authorize?client_id=unknown");
  EXPECT_THAT(text(), HasSubstr("Invalid request"));
  expect_accessible("an unknown client");
}

TEST_F(PagesInABrowser, ShowConnectionsAndEndThem) {
  sign_in();
  page_visit reader(fixture_->browser());
  fixture_->sign_in(reader.browser());
  const assistant helper(*fixture_);
  helper.connect(reader);
  open("/account");
  EXPECT_THAT(text(), HasSubstr("Rent Helper"));
  expect_accessible("account with a connection");
  page_.click_through("section[aria-labelledby=connections] button");
  EXPECT_THAT(text(), AllOf(HasSubstr("The connection was ended."), Not(HasSubstr("Rent Helper"))));
}

TEST_F(PagesInABrowser, ReportErrorsToScreenReaders) {
  enter_password("wrong-one");
  EXPECT_EQ(page_.evaluate("document.querySelector('[role=alert]').id"), "\"error\"");
  EXPECT_EQ(page_.evaluate("document.getElementById('email').getAttribute('aria-describedby')"), "\"error\"");
  EXPECT_THAT(page_.evaluate("document.title"), StartsWith("\"Error: "));
  EXPECT_EQ(focused(), "\"password\"");
  expect_accessible("a wrong password");
}

TEST_F(PagesInABrowser, WorkWithTheKeyboardAlone) {
  open("/sign-in");
  EXPECT_EQ(focused(), "\"email\"");
  page_.type("ana@casaverde.example");
  page_.press_tab();
  EXPECT_EQ(focused(), "\"password\"");
  EXPECT_NE(page_.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "\"none\"");
  page_.type("ana-only");
  page_.follow([&] { page_.press_enter(); });
  EXPECT_EQ(path(), "\"/sign-in/code\"");
  EXPECT_EQ(focused(), "\"code\"");
  page_.type(mailed_code(fixture_->place, 1));
  page_.follow([&] { page_.press_enter(); });
  EXPECT_EQ(path(), "\"/account\"");
  page_.press_tab();
  EXPECT_EQ(focused(), "\"Skip to the content\"");
  page_.press_enter();
  EXPECT_EQ(page_.evaluate("location.hash"), "\"#content\"");
  expect_no_errors();
}

/// Chromium submits the domain of an `email` field in ASCII, and refuses letters before the @.
TEST_F(PagesInABrowser, SubmitInternationalAddresses) {
  const std::string address = "rené@münchen.example";
  fixture_->place.import(portfolio_of(1, {{account_pointer + "/users/0/email", '"' + address + '"'}}));
  open("/forgot-password");
  fill("email", address);
  page_.click_through("main button");
  EXPECT_THAT(text(), HasSubstr("a link to set a new password is on its way"));
  open("/sign-in");
  fill("email", address);
  fill("password", "ana-only");
  page_.click_through("main button");
  EXPECT_EQ(path(), "\"/sign-in/code\"");
  fill("code", mailed_code(fixture_->place, 1));
  page_.click_through("main button");
  EXPECT_EQ(path(), "\"/account\"");
}

TEST_F(PagesInABrowser, AcceptACodeInFullWidthDigits) {
  enter_password("ana-only");
  std::string typed;
  for (const char digit : mailed_code(fixture_->place, 1))
    typed += {'\xef', '\xbc', static_cast<char>('\x90' + (digit - '0'))};
  fill("code", typed.substr(0, 15));
  EXPECT_EQ(page_.evaluate("document.getElementById('code').checkValidity()"), "false");
  page_.type(typed.substr(15));
  page_.click_through("main button");
  EXPECT_EQ(path(), "\"/account\"");
}

TEST_F(PagesInABrowser, CountDownToAnotherCode) {
  enter_password("ana-only");
  EXPECT_EQ(page_.evaluate("document.getElementById('resend').disabled"), "true");
  EXPECT_THAT(page_.evaluate("document.getElementById('countdown').textContent"),
              HasSubstr("You can request another code in "));
  page_.evaluate("(now => { Date.now = () => now() + 31000; })(Date.now.bind(Date))");
  page_.wait_until("!document.getElementById('resend').disabled");
  EXPECT_EQ(page_.evaluate("document.getElementById('countdown-over').textContent"),
            "\"You can request another code now.\"");
  page_.click_through("#resend");
  EXPECT_THAT(text(), HasSubstr("Another code is on its way."));
  expect_no_errors();
}

TEST_F(PagesInABrowser, EndASessionAndSignOut) {
  sign_in();
  auto elsewhere = fixture_->browser("Chrome/140 (Android)");
  fixture_->sign_in(elsewhere);
  open("/account");
  EXPECT_THAT(text(), AllOf(HasSubstr("Chrome on Android"), HasSubstr("this browser")));
  page_.click_through(".cards li:nth-child(2) button");
  EXPECT_THAT(text(), HasSubstr("The session was ended."));
  EXPECT_EQ(page_.evaluate("document.querySelectorAll('.cards li').length"), "1");
  EXPECT_EQ(elsewhere.post("/auth/refresh").status, 401U);
  page_.click_through("header button");
  EXPECT_EQ(path(), "\"/sign-in\"");
  EXPECT_THAT(text(), HasSubstr("You are signed out."));
  expect_no_errors();
}

TEST_F(PagesInABrowser, RunOnlyTheirOwnScriptsAndStyles) {
  open("/sign-in");
  page_.evaluate("document.body.append("
                 "Object.assign(document.createElement('script'), {textContent: 'window.strange = 1'}))");
  EXPECT_EQ(page_.evaluate("typeof window.strange"), R"("undefined")");
  page_.evaluate("document.body.append("
                 "Object.assign(document.createElement('style'), {textContent: 'h1 { display: none }'}))");
  EXPECT_NE(page_.evaluate("getComputedStyle(document.querySelector('h1')).display"), R"("none")");
}

} // namespace roost::testing::pages_axe_test
