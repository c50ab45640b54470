#include "mail/sign_in_mails.hpp"
#include "mail/transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roost::mail::sign_in_mails_test {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const domain::uuid an_id = *domain::parse_uuid("5f0c3f2e-8a44-4d6f-9a51-0d7f3f6f2a10");
const domain::timestamp now = *domain::parse_timestamp("2026-11-20T09:30:00.000Z");
const mailed_user ana{"ana@casaverde.example", "Ana"};
constexpr auto base_url = "https://roost.example";

domain::outgoing_mail code_mail(const mailed_user& user = ana) {
  return sign_in_code_mail(an_id, now, user, "048213", 10min);
}

TEST(SignInCodeMail, BeginsItsSubjectWithTheCode) {
  const auto mail = code_mail();
  EXPECT_EQ(mail.id, an_id);
  EXPECT_EQ(mail.created_at, now);
  EXPECT_EQ(mail.to, "ana@casaverde.example");
  EXPECT_EQ(mail.subject, "048213 is your Roost sign-in code");
}

TEST(SignInCodeMail, HasTheCodeOnItsOwnLine) {
  EXPECT_EQ(code_mail().text, "Hello Ana,\n"
                              "\n"
                              "This is the code to finish signing in. It works once, within 10 minutes, in "
                              "the browser where you typed "
                              "your password.\n"
                              "\n"
                              "    048213\n"
                              "\n"
                              "Please keep it to yourself: Roost staff will never ask you for it. If you are "
                              "not signing in right now, someone else knows your password. In that case, "
                              "please change it.\n"
                              "\n"
                              "Roost\n");
}

TEST(SignInCodeMail, ShowsTheCodeInOnePieceSoThatItCanBeCopied) {
  EXPECT_THAT(code_mail().html,
              AllOf(HasSubstr(">048213</p>"), Not(HasSubstr("What you can do")), Not(HasSubstr("Why")),
                    Not(HasSubstr("<table")), Not(HasSubstr("href"))));
}

TEST(SignInCodeMail, OmitsAnEmptyName) {
  EXPECT_THAT(code_mail({"ana@casaverde.example", ""}).text, StartsWith("Hello,\n"));
}

TEST(SignInCodeMail, EscapesTheName) {
  EXPECT_THAT(code_mail({"ana@casaverde.example", "<b>Ana\n"}).html, HasSubstr("<p>Hello &lt;b&gt;Ana,</p>"));
}

TEST(NewBrowserMail, StatesWhereWhenAndWhatToDo) {
  const auto mail = new_browser_mail(
      an_id, now, ana,
      {"Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0", "203.0.113.9"}, base_url);
  EXPECT_EQ(mail.subject, "Signed in from a new browser");
  EXPECT_THAT(mail.text,
              AllOf(HasSubstr("a browser type or version that none of your recent sessions used."),
                    HasSubstr("Browser: Firefox on Windows\nAddress: 203.0.113.9\n"
                              "Time: 20 November 2026, 09:30 UTC\n\nWhat you can do: If it was you"),
                    HasSubstr("https://roost.example/account\n"), Not(HasSubstr("Why:"))));
}

TEST(NewBrowserMail, EscapesTheUserAgent) {
  const auto mail = new_browser_mail(an_id, now, ana, {"<script>", "203.0.113.9"}, base_url);
  EXPECT_THAT(mail.html, AllOf(HasSubstr("&lt;script&gt;"), Not(HasSubstr("<script>"))));
}

TEST(PasswordChangedMail, StatesWhenAndHowToRecover) {
  const auto mail = password_changed_mail(an_id, now, ana, {}, base_url);
  EXPECT_EQ(mail.subject, "Your Roost password has changed");
  EXPECT_THAT(mail.text, AllOf(HasSubstr("changed on 20 November 2026, 09:30 UTC."),
                               HasSubstr("No assistant is connected to it."), Not(HasSubstr("/account")),
                               HasSubstr("https://roost.example/sign-in")));
}

TEST(PasswordChangedMail, ListsTheAssistantsThatStayConnectedAndWhereToEndThem) {
  const auto mail =
      password_changed_mail(an_id, now, ana, {{"Claude", "<b>Other\nassistant</b>"}, false}, base_url);
  EXPECT_THAT(mail.text, AllOf(HasSubstr("These assistants are still connected"),
                               HasSubstr("Connected assistant: Claude\n"),
                               HasSubstr("Connected assistant: <b>Other assistant</b>\n"),
                               HasSubstr("https://roost.example/account"), Not(HasSubstr("everywhere"))));
  EXPECT_THAT(mail.html, AllOf(HasSubstr("Claude"), HasSubstr("&lt;b&gt;Other"), Not(HasSubstr("<b>Other"))));
}

TEST(PasswordChangedMail, ListsTheAssistantsThatWereDisconnected) {
  const auto mail = password_changed_mail(an_id, now, ana, {{"Claude"}, true}, base_url);
  EXPECT_THAT(mail.text,
              AllOf(HasSubstr("The connections of these assistants have ended."),
                    HasSubstr("Disconnected assistant: Claude\n"), Not(HasSubstr("still connected"))));
}

TEST(PasswordResetMail, HasTheLinkInBothForms) {
  const auto mail = password_reset_mail(an_id, now, ana, base_url, "abc-_123", 30min);
  EXPECT_EQ(mail.subject, "Set a new Roost password");
  EXPECT_THAT(mail.text, AllOf(HasSubstr("\n\nhttps://roost.example/reset-password?token=abc-_123\n\n"),
                               HasSubstr("within 30 minutes")));
  EXPECT_THAT(mail.html, AllOf(HasSubstr("href=\"https://roost.example/reset-password?token=abc-_123\""),
                               HasSubstr(">Set a new password</a>")));
}

const inviter bia{"bia@casaverde.example", "Casa Verde"};

TEST(InvitationMail, StatesWhoInvitesWhereAndHowToChooseAPassword) {
  const auto mail = invitation_mail(an_id, now, ana, bia, base_url, "abc-_123", 7 * 24h);
  EXPECT_EQ(mail.subject, "Your access to Roost for Casa Verde");
  EXPECT_TRUE(mail.confidential) << "the link is deleted once the mail is sent";
  EXPECT_THAT(mail.text,
              AllOf(HasSubstr("\n\nhttps://roost.example/reset-password?token=abc-_123\n\n"),
                    HasSubstr("within 7 days"), HasSubstr("bia@casaverde.example"), HasSubstr("Casa Verde")));
  EXPECT_THAT(mail.html, HasSubstr(">Choose a password</a>"));
}

TEST(InvitationMail, ShowsTheCompanyOnOneLine) {
  const auto mail =
      invitation_mail(an_id, now, ana, {"bia@casaverde.example", "Casa\r\nVerde <b>"}, base_url, "t", 1h);
  EXPECT_THAT(mail.subject, Not(HasSubstr("\n")));
  EXPECT_THAT(mail.html, Not(HasSubstr("<b>")));
}

TEST(SignInMails, CanBeSent) {
  for (const auto& mail : {code_mail(), new_browser_mail(an_id, now, ana, {"", "::1"}, base_url),
                           password_changed_mail(an_id, now, ana, {}, base_url),
                           password_reset_mail(an_id, now, ana, base_url, "t", 1h),
                           invitation_mail(an_id, now, ana, bia, base_url, "t", 1h)})
    EXPECT_THAT(to_rfc5322(mail, "no-reply@roost.example"), HasSubstr("Subject: " + mail.subject + "\r\n"));
}

} // namespace roost::mail::sign_in_mails_test
