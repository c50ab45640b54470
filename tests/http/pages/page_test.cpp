#include "http/pages/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace roost::http::testing::page_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

page_frame frame_of(const std::string& title) {
  page_frame frame;
  frame.base = "/roost";
  frame.title = title;
  frame.form = "secret-value";
  return frame;
}

std::string field(const response& result, const std::string& name) {
  const auto field = std::ranges::find(result.fields, name, [](const auto& each) { return each.first; });
  return field == result.fields.end() ? "" : field->second;
}

TEST(Page, IsCompleteAndLoadsOnlyItsOwnFiles) {
  const auto result = page(200, page_template::sign_in, frame_of("Sign in"));
  EXPECT_EQ(result.status, 200U);
  EXPECT_EQ(result.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(result.body,
              AllOf(HasSubstr("<!DOCTYPE html>"), HasSubstr("<html lang=\"en\">"),
                    HasSubstr("<title>Sign in – Roost</title>"), HasSubstr("<h1>Sign in</h1>"),
                    HasSubstr("href=\"/roost/pages/style.css\""), HasSubstr("action=\"/roost/sign-in\""),
                    HasSubstr("name=\"form\" value=\"secret-value\"")));
  EXPECT_THAT(result.body, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("style=")),
                                 Not(HasSubstr("<style")), Not(HasSubstr("onclick")), Not(HasSubstr("http:")),
                                 Not(HasSubstr("https:")), Not(HasSubstr("{{"))));
}

TEST(Page, IsNotStoredAndHasAStrictPolicy) {
  const auto result = page(200, page_template::sign_in, frame_of("Sign in"));
  EXPECT_EQ(field(result, "Cache-Control"), "no-store");
  EXPECT_EQ(
      field(result, "Content-Security-Policy"),
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; frame-ancestors 'none'; "
      "base-uri 'none'; form-action 'self'");
  EXPECT_EQ(field(result, "Referrer-Policy"), "same-origin");
  EXPECT_EQ(field(result, "Cross-Origin-Opener-Policy"), "same-origin");
}

TEST(Page, LoadsTheScriptOnlyForTheCountdown) {
  auto frame = frame_of("Enter the code");
  frame.counts_down = true;
  EXPECT_THAT(page(200, page_template::code, frame).body,
              HasSubstr("<script src=\"/roost/pages/countdown.js\" defer></script>"));
}

TEST(Page, EscapesItsValues) {
  auto frame = frame_of("<i>");
  frame.error = "<script>\"'&";
  page_data values;
  values.set("email", "\"><script>alert(1)</script>");
  const auto body = page(401, page_template::sign_in, frame, values).body;
  EXPECT_THAT(body,
              AllOf(HasSubstr("<title>Error: &lt;i&gt; – Roost</title>"), HasSubstr("&lt;script&gt;&quot;"),
                    HasSubstr("value=\"&quot;&gt;&lt;script&gt;"), Not(HasSubstr("<script"))));
}

TEST(Page, AnnouncesAnErrorAndMarksTheFields) {
  auto frame = frame_of("Sign in");
  EXPECT_THAT(page(200, page_template::sign_in, frame).body,
              AllOf(Not(HasSubstr("role=\"alert\"")), Not(HasSubstr("aria-invalid"))));
  frame.error = "That is wrong.";
  EXPECT_THAT(page(401, page_template::sign_in, frame).body,
              AllOf(HasSubstr("role=\"alert\" aria-live=\"assertive\" id=\"error\">That is wrong.</p>"),
                    HasSubstr("aria-describedby=\"error\" aria-invalid=\"true\"")));
}

TEST(Page, HasLinksAndASignOutButtonForSignedInUsers) {
  auto frame = frame_of("Your account");
  EXPECT_THAT(page(200, page_template::refusal, frame).body, Not(HasSubstr("Sign out")));
  frame.links = {{"/account", "Your account", true}, {"/account/ai-usage", "AI usage", false}};
  EXPECT_THAT(page(200, page_template::refusal, frame).body,
              AllOf(HasSubstr("<a href=\"/roost/account\" aria-current=\"page\">Your account</a>"),
                    HasSubstr("<a href=\"/roost/account/ai-usage\">AI usage</a>"),
                    HasSubstr("action=\"/roost/account/sign-out\"")));
}

TEST(Redirect, LeadsToAnotherPageOfTheSite) {
  const auto result = go_to("/roost", "/account");
  EXPECT_EQ(result.status, 303U);
  EXPECT_EQ(field(result, "Location"), "/roost/account");
  EXPECT_EQ(field(result, "Cache-Control"), "no-store");
  EXPECT_TRUE(result.body.empty());
}

TEST(RefusalPage, SaysWhatToDo) {
  const auto waiting = refusal_page("", too_many_requests(std::chrono::seconds{42}));
  EXPECT_EQ(waiting.status, 429U);
  EXPECT_EQ(field(waiting, "Retry-After"), "42");
  EXPECT_THAT(waiting.body, HasSubstr("Please try again in 42 seconds."));
  EXPECT_THAT(refusal_page("", busy()).body, HasSubstr("The service is busy."));
  EXPECT_THAT(refusal_page("", internal()).body,
              AllOf(HasSubstr("Something went wrong"), HasSubstr("on our side")));
  EXPECT_THAT(refusal_page("", forbidden("<b>No.")).body, HasSubstr("&lt;b&gt;No."));
}

} // namespace roost::http::testing::page_test
