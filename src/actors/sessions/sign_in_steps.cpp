#include "actors/sessions/sign_in_steps.hpp"

#include "domain/email_address.hpp"
#include "log/log.hpp"
#include "security/live_keys.hpp"
#include "security/random.hpp"

#include <caf/actor_cast.hpp>
#include <caf/send.hpp>

#include <utility>

namespace roost::actors {

namespace {

constexpr std::size_t code_length = 6;
constexpr std::string_view code_purpose = "emailed code";

/// Returns the text that is sealed; it includes the challenge, so that a code is valid only for one.
std::string sealed_text(const domain::uuid& challenge, std::string_view code) {
  return domain::to_string(challenge) + ':' + std::string(code);
}

} // namespace

weak_mailer::weak_mailer(const mailer& to) : mailer_(caf::actor_cast<caf::weak_actor_ptr>(to)) {}

void weak_mailer::send_due_mail() const {
  if (const auto strong = mailer_.lock())
    caf::anon_send(caf::actor_cast<mailer>(strong), actors::send_due_mail{});
}

sign_in_steps::sign_in_steps(const sign_in_setup& setup)
    : mails_(std::make_shared<const sign_in_mails>(setup.mails)), now_(setup.now), new_id_(setup.new_id),
      mailer_(setup.mailer), events_(*setup.registry) {}

store::new_session sign_in_steps::session_for(browser_facts browser) const {
  store::new_session session{new_id_(), browser.name, browser.origin.address, now_(), {}};
  if (!browser.token.empty()) session.browser_token_hash = security::key_hash(browser.token);
  session.new_browser_notice = [mails = mails_, browser = std::move(browser), now = session.now](
                                   const auto& user) { return mails->new_browser(user, browser, now); };
  return session;
}

store::outgoing_code sign_in_steps::new_code(const security::key_ring& keys, const domain::uuid& challenge,
                                             domain::timestamp now) const {
  const auto code = security::random_digits(code_length);
  store::outgoing_code sealed_code{
      challenge, security::sealed(keys, code_purpose, sealed_text(challenge, code)), {}, now};
  sealed_code.mail = [mails = mails_, code, now](const auto& user) { return mails->code(user, code, now); };
  return sealed_code;
}

bool sign_in_steps::code_matches(const security::key_ring& keys, const domain::uuid& challenge,
                                 std::string_view code, const std::string& seal) {
  return security::seal_matches(keys, code_purpose, sealed_text(challenge, code), seal);
}

sign_in_response sign_in_steps::finish(const store::session_started& started, sign_in_tokens tokens,
                                       const request_origin& origin) const {
  log::info("signed_in", {{"user", domain::to_string(started.user_id)},
                          {"session", domain::to_string(started.session_id)},
                          {"remote", origin.address},
                          {"request_id", origin.request_id}});
  events_.count("signed_in");
  mailer_.send_due_mail();
  return {signed_in{started, std::move(tokens.remember), std::move(tokens.browser)}};
}

sign_in_response sign_in_steps::finish(const store::code_sent& sent, const std::string& challenge_token,
                                       const request_origin& origin) const {
  log::info("sign_in_code_sent", {{"to", domain::masked_email(sent.email)},
                                  {"remote", origin.address},
                                  {"request_id", origin.request_id}});
  events_.count("code_sent");
  mailer_.send_due_mail();
  return {challenge_opened{challenge_token, sent.expires_at, sent.email}};
}

sign_in_response sign_in_steps::refuse(decltype(sign_in_response::result) result, std::string_view reason,
                                       const request_origin& origin, const std::string& user) const {
  log::info(
      "sign_in_refused",
      {{"reason", reason}, {"user", user}, {"remote", origin.address}, {"request_id", origin.request_id}});
  events_.count(reason);
  return {std::move(result)};
}

} // namespace roost::actors
