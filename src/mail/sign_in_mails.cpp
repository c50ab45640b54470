#include "mail/sign_in_mails.hpp"

#include "domain/date.hpp"
#include "domain/text.hpp"
#include "mail/mail_pages.hpp"

namespace roost::mail {

namespace {

using domain::written_out;

/// Marks a mail whose content is deleted once it is sent.
domain::outgoing_mail confidential(domain::outgoing_mail mail) {
  mail.confidential = true;
  return mail;
}

std::string password_link(std::string_view base_url, std::string_view token) {
  return std::string(base_url) + "/reset-password?token=" + std::string(token);
}

domain::outgoing_mail mail_to(const mailed_user& user, mail_content content, const domain::uuid& id,
                              domain::timestamp now, std::string subject) {
  content.greet(user.first_name);
  return render_mail(content, id, now, std::string(user.email), std::move(subject));
}

/// Returns in words what a new password means for the user's assistants.
std::string fate_of(const mailed_assistants& assistants) {
  if (assistants.names.empty()) return "No assistant is connected to it.";
  if (assistants.ended) return "The connections of these assistants have ended.";
  return "These assistants are still connected and can act on your behalf.";
}

} // namespace

domain::outgoing_mail sign_in_code_mail(const domain::uuid& id, domain::timestamp now,
                                        const mailed_user& user, std::string_view code,
                                        std::chrono::seconds lifetime) {
  return confidential(mail_to(
      user,
      {.title = "Your sign-in code",
       .summary = "This is the code to finish signing in. It works once, within " + written_out(lifetime) +
                  ", in the browser where you typed your password.",
       .code = std::string(code),
       .reminder =
           "Please keep it to yourself: Roost staff will never ask you for it. If you are not signing "
           "in right now, someone else knows your password. In that case, please change it."},
      id, now, std::string(code) + " is your Roost sign-in code"));
}

domain::outgoing_mail new_browser_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& user,
                                       const sign_in_place& place, std::string_view base_url) {
  mail_content content{
      .title = "Signed in from a new browser",
      .summary = "Someone has just signed in to your Roost account with a browser type or version that none "
                 "of your recent sessions used.",
      .advice = "If it was you, there is nothing to do. If not, please end that session and change "
                "your password immediately: " +
                std::string(base_url) + "/account",
      .reminder = "We notify you of every new type or version, so that you notice if someone else uses your "
                  "account."};
  content.add("Browser", domain::browser_name(place.user_agent));
  content.add("Address", std::string(place.address));
  content.add("Time", written_out(now));
  return mail_to(user, std::move(content), id, now, "Signed in from a new browser");
}

domain::outgoing_mail password_changed_mail(const domain::uuid& id, domain::timestamp now,
                                            const mailed_user& user, const mailed_assistants& assistants,
                                            std::string_view base_url) {
  mail_content content{.title = "Your password has changed",
                       .summary = "The password of your Roost account was changed on " + written_out(now) +
                                  ". You are signed out in all browsers, and can sign in with the new one. " +
                                  fate_of(assistants),
                       .advice = "If you did not change it, please set another one immediately. Choose "
                                 "\"Forgotten your password?\" on this page: " +
                                 std::string(base_url) + "/sign-in",
                       .reminder = "We notify you of every password change."};
  for (const auto& name : assistants.names)
    content.add(assistants.ended ? "Disconnected assistant" : "Connected assistant", domain::one_line(name));
  if (!assistants.names.empty() && !assistants.ended)
    content.advice = "If you do not recognize one of the assistants, please end all connections with one "
                     "button on your account page: " +
                     std::string(base_url) + "/account. " + content.advice;
  return mail_to(user, std::move(content), id, now, "Your Roost password has changed");
}

domain::outgoing_mail password_reset_mail(const domain::uuid& id, domain::timestamp now,
                                          const mailed_user& user, std::string_view base_url,
                                          std::string_view token, std::chrono::seconds lifetime) {
  return confidential(mail_to(
      user,
      {.title = "Set a new password",
       .summary = "Someone, probably you, asked for a new password for your Roost account. Open this "
                  "address to set it. It works once, within " +
                  written_out(lifetime) + ".",
       .link = password_link(base_url, token),
       .link_text = "Set a new password",
       .reminder = "If you did not ask for it, you can ignore this mail: your password stays as it is."},
      id, now, "Set a new Roost password"));
}

domain::outgoing_mail invitation_mail(const domain::uuid& id, domain::timestamp now, const mailed_user& user,
                                      const inviter& from, std::string_view base_url, std::string_view token,
                                      std::chrono::seconds lifetime) {
  const auto company = domain::one_line(from.company_name);
  return confidential(mail_to(
      user,
      {.title = "Your access to Roost",
       .summary = std::string(from.email) + " has invited you to the Roost account of " + company +
                  ". Open this link to choose a password. It works once, within " + written_out(lifetime) +
                  ". If it has expired, choose \"Forgotten your password?\" on the sign-in page.",
       .link = password_link(base_url, token),
       .link_text = "Choose a password",
       .reminder = "If you do not know " + company + ", you can ignore this mail."},
      id, now, "Your access to Roost for " + company));
}

} // namespace roost::mail
