#include "mail/sign_in_mails.hpp"

#include "domain/date.hpp"
#include "domain/text.hpp"
#include "mail/mail_pages.hpp"

namespace roost::mail {

namespace {

using domain::written_out;

/// The page where a user sees and ends his sessions and sets his password.
std::string account_page(std::string_view base_url) { return std::string(base_url) + "/account"; }

/// What it says is deleted once it is sent.
domain::outgoing_mail confidential(domain::outgoing_mail mail) {
  mail.confidential = true;
  return mail;
}

domain::outgoing_mail mail_to(const mailed_user& to, mail_content content, const domain::uuid& id,
                              domain::timestamp now, std::string subject) {
  content.greet(to.first_name);
  return mail_of(content, id, now, std::string(to.email), std::move(subject));
}

} // namespace

domain::outgoing_mail sign_in_code_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& to,
                                        std::string_view code, std::chrono::seconds lifetime) {
  return confidential(mail_to(
      to,
      {.title = "Your sign-in code",
       .summary = "This is the code to finish signing in. It works once, within " + written_out(lifetime) +
                  ", in the browser where you typed your password.",
       .code = std::string(code),
       .reminder = "Please keep it to yourself: nobody from Roost will ever ask you for it. If you are "
                   "not signing in right now, somebody else knows your password. Then please change it."},
      id, now, std::string(code) + " is your Roost sign-in code"));
}

domain::outgoing_mail new_browser_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& to,
                                       const sign_in_place& where, std::string_view base_url) {
  mail_content content{
      .title = "Signed in from a new browser",
      .summary = "Somebody has just signed in to your Roost account from a browser that we had "
                 "not seen before.",
      .advice = "If it was you, there is nothing to do. If not, please end that session and change "
                "your password at once: " +
                account_page(base_url),
      .reminder = "We tell you of every new browser, so that nobody uses your account without your "
                  "knowing."};
  content.add("Browser", domain::browser_name(where.user_agent));
  content.add("Address", std::string(where.address));
  content.add("Time", written_out(now));
  return mail_to(to, std::move(content), id, now, "Signed in from a new browser");
}

domain::outgoing_mail password_changed_mail(const domain::uuid& id, domain::timestamp now,
                                            const mailed_user& to, std::string_view base_url) {
  return mail_to(
      to,
      {.title = "Your password has changed",
       .summary = "The password of your Roost account was changed on " + written_out(now) +
                  ". You are signed out everywhere, and can sign in with the new one.",
       .advice = "If you did not change it, please set another one at once. Choose \"Forgotten your "
                 "password?\" on this page: " +
                 std::string(base_url) + "/sign-in",
       .reminder = "We tell you of every change of your password."},
      id, now, "Your Roost password has changed");
}

domain::outgoing_mail password_reset_mail(const domain::uuid& id, domain::timestamp now,
                                          const mailed_user& to, std::string_view base_url,
                                          std::string_view token, std::chrono::seconds lifetime) {
  return confidential(mail_to(
      to,
      {.title = "Set a new password",
       .summary = "Somebody, probably you, asked for a new password for your Roost account. Open this "
                  "address to set it. It works once, within " +
                  written_out(lifetime) + ".",
       .link = std::string(base_url) + "/reset-password?token=" + std::string(token),
       .link_text = "Set a new password",
       .reminder = "If you did not ask for it, you can ignore this mail: your password stays as it is."},
      id, now, "Set a new Roost password"));
}

} // namespace roost::mail
