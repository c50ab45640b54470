#include "service/support/assistant.hpp"
#include "service/support/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

/// Connections of assistants that end together: by one click, with a new password, by a command, and with
/// their user.
namespace roost::testing::ended_connections_test {
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
ROOST_FOR_EACH_STORE(EndedConnections);

/// Returns the fixture's portfolio with these edits.
std::string connector_portfolio(std::vector<edit> edits = {}) {
  edits.insert(edits.begin(), {account_pointer + "/aiAreas", R"({"bookings":"read-only","team":"edit"})"});
  return portfolio_of(1, edits);
}

/// Waits for a mail that contains this text. Returns its text, or an empty text.
std::string mail_with(const workplace& place, const std::string& part) {
  std::string found;
  eventually([&] {
    for (const auto& mail : place.mails())
      if (auto text = mail::decode(mail).parts.at("text/plain; charset=utf-8");
          text.find(part) != std::string::npos)
        found = std::move(text);
    return !found.empty();
  });
  return found;
}

TEST_P(EndedConnections, IncludeAllAfterOneClickOnTheAccountPage) {
  token_fixture fixture(GetParam());
  const auto first = fixture.helper.connect(fixture.ana), second = fixture.helper.connect(fixture.ana);
  const auto key = fixture.management.place.run_or_throw({"tool-server-key", "issue"}).substr(0, 46);
  EXPECT_THAT(fixture.ana.open("/account").body, HasSubstr("End all connections"));
  EXPECT_EQ(fixture.ana.submit("/account/connections/end").header("location"),
            "/account?notice=connections-ended");
  EXPECT_THAT(fixture.ana.open("/account?notice=connections-ended").body,
              AllOf(HasSubstr("All connections were ended."), Not(HasSubstr("End all connections"))));
  for (const auto& tokens : {first, second}) {
    EXPECT_EQ(introspect(fixture.management, key, string_at(tokens, "/access_token")).body,
              R"({"active":false})");
    EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(tokens))), "invalid_grant");
  }
}

TEST_P(EndedConnections, AreListedByThePageAndTheMailOfANewPassword) {
  token_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  fixture.ana.open("/account");
  fixture.ana.submit("/account/password", {{"old", "ana-only"}, {"new", "ana-second"}});
  EXPECT_THAT(mail_with(fixture.management.place, "still connected"), HasSubstr("Connected assistant: "));
  const auto next = fixture.helper.refresh(refresh_of(tokens));
  EXPECT_EQ(next.status, 200U);
  fixture.ana.open("/forgot-password");
  fixture.ana.submit("/forgot-password", {{"email", "ana@casaverde.example"}});
  const auto text = mail_with(fixture.management.place, "/reset-password?token=");
  const auto begin = text.find("/reset-password?token=");
  const auto page = fixture.ana.open(text.substr(begin, text.find_first_of("\r\n", begin) - begin));
  EXPECT_THAT(page.body, AllOf(HasSubstr("connected "), HasSubstr("name=\"end_connections\""),
                               HasSubstr("value=\"yes\" checked")));
  EXPECT_EQ(fixture.ana
                .submit("/reset-password", {{"token", hidden_value(page, "token")},
                                            {"password", "ana-third"},
                                            {"end_connections", "yes"}})
                .header("location"),
            "/sign-in?notice=password-changed");
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(next))), "invalid_grant");
  EXPECT_THAT(mail_with(fixture.management.place, "have ended"), HasSubstr("Disconnected assistant: "));
}

TEST_P(EndedConnections, IncludeAnAssistantConnectedWhileTheResetPageIsOpen) {
  token_fixture fixture(GetParam());
  page_visit visitor(fixture.management.browser());
  visitor.open("/forgot-password");
  visitor.submit("/forgot-password", {{"email", "ana@casaverde.example"}});
  const auto text = mail_with(fixture.management.place, "/reset-password?token=");
  const auto begin = text.find("/reset-password?token=");
  const auto page = visitor.open(text.substr(begin, text.find_first_of("\r\n", begin) - begin));
  EXPECT_THAT(page.body, Not(HasSubstr("act on your behalf")));
  const auto tokens = fixture.helper.connect(fixture.ana);
  EXPECT_EQ(visitor
                .submit("/reset-password", {{"token", hidden_value(page, "token")},
                                            {"password", "ana-second"},
                                            {"end_connections", hidden_value(page, "end_connections")}})
                .header("location"),
            "/sign-in?notice=password-changed");
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(tokens))), "invalid_grant");
}

TEST_P(EndedConnections, IncludeThoseOfCodesApprovedBeforeANewPassword) {
  token_fixture fixture(GetParam());
  const auto code = fixture.helper.code(fixture.ana);
  fixture.ana.open("/account");
  fixture.ana.submit("/account/password", {{"old", "ana-only"}, {"new", "ana-second"}});
  EXPECT_EQ(oauth_error_of(fixture.helper.exchange(code)), "invalid_grant");
}

TEST_P(EndedConnections, IncludeAllAfterAPasswordResetThroughTheApi) {
  token_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  auto browser = fixture.management.browser();
  const header_fields signed_in{
      {"Authorization", "Bearer " + string_at(fixture.management.sign_in(browser), "/token")}};
  EXPECT_EQ(
      browser.post("/auth/password", R"({"oldPassword":"ana-only","newPassword":"ana-second"})", signed_in)
          .status,
      200U);
  const auto next = fixture.helper.refresh(refresh_of(tokens));
  EXPECT_EQ(next.status, 200U) << "a changed password keeps them";
  browser.post("/auth/forgot-password", R"({"email":"ana@casaverde.example"})");
  const std::string link = "/reset-password?token=";
  const auto text = mail_with(fixture.management.place, link);
  const auto token = text.substr(text.find(link) + link.size(), 43);
  EXPECT_EQ(
      browser.post("/auth/reset-password", R"({"token":")" + token + R"(","password":"ana-third"})").status,
      200U);
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(next))), "invalid_grant");
}

TEST_P(EndedConnections, IncludeAllAfterAPasswordChangeThroughTheApiOnRequest) {
  token_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  auto browser = fixture.management.browser();
  const header_fields signed_in{
      {"Authorization", "Bearer " + string_at(fixture.management.sign_in(browser), "/token")}};
  EXPECT_EQ(browser
                .post("/auth/password",
                      R"({"oldPassword":"ana-only","newPassword":"ana-second","endConnections":true})",
                      signed_in)
                .status,
            200U);
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(tokens))), "invalid_grant");
}

TEST_P(EndedConnections, AreListedAndEndedByTheOperatorsNewPassword) {
  token_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  const auto set_password = [&](std::vector<std::string> options, const std::string& password) {
    std::vector<std::string> command{"user", "password", "ana@casaverde.example"};
    command.insert(command.end(), options.begin(), options.end());
    return fixture.management.place.run_or_throw(command, password + "\n");
  };
  EXPECT_THAT(set_password({}, "ana-second"),
              AllOf(HasSubstr("still connected"), HasSubstr("  since "), HasSubstr("--end-connections")));
  const auto next = fixture.helper.refresh(refresh_of(tokens));
  EXPECT_EQ(next.status, 200U);
  EXPECT_THAT(set_password({"--end-connections"}, "ana-third"),
              AllOf(HasSubstr("were ended"), HasSubstr("  since ")));
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(next))), "invalid_grant");
  fixture.management.server->wait_for_event("connection_revoked");
  EXPECT_THAT(set_password({}, "ana-fourth"), IsEmpty());
}

TEST_P(EndedConnections, StayEndedWhenTheirUserReturns) {
  token_fixture fixture(GetParam());
  const auto tokens = fixture.helper.connect(fixture.ana);
  const auto key = fixture.management.place.run_or_throw({"tool-server-key", "issue"}).substr(0, 46);
  const auto is_active = [&](const raw_response& response) {
    const auto described = introspect(fixture.management, key, string_at(response, "/access_token")).body;
    return json_at(described, "/active") == "true";
  };
  EXPECT_TRUE(is_active(tokens));
  auto& place = fixture.management.place;
  const auto issue_api_key = [&place] {
    const auto issued = place.run_or_throw({"api-key", "issue", "ana@casaverde.example"});
    return issued.substr(0, issued.find_first_of(" \n"));
  };
  const auto is_valid = [&](const std::string& api_key) {
    return json_at(introspect(fixture.management, key, api_key).body, "/active") == "true";
  };
  const auto first_key = issue_api_key();
  EXPECT_TRUE(is_valid(first_key));
  const edit deactivated{account_pointer + "/users/0/deactivated", "true"};
  place.import(connector_portfolio({deactivated}));
  place.import(connector_portfolio());
  EXPECT_FALSE(is_active(tokens));
  EXPECT_FALSE(is_valid(first_key));
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(tokens))), "invalid_grant");
  page_visit again(fixture.management.browser());
  again.sign_in(fixture.management);
  const auto later = fixture.helper.connect(again);
  EXPECT_TRUE(is_active(later));
  const auto later_key = issue_api_key();
  EXPECT_TRUE(is_valid(later_key));
  place.import(connector_portfolio({{account_pointer + "/users", "[]"}}));
  place.import(connector_portfolio());
  EXPECT_FALSE(is_active(later));
  EXPECT_FALSE(is_valid(later_key));
  EXPECT_EQ(oauth_error_of(fixture.helper.refresh(refresh_of(later))), "invalid_grant");
  EXPECT_EQ(again.open("/account").header("location"), "/sign-in");
}

} // namespace roost::testing::ended_connections_test
