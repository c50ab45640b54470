#pragma once

#include "actors/mailing/mailer.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/sessions/password_gate.hpp"
#include "actors/sessions/session_register.hpp"
#include "security/password.hpp"
#include "security/secrets.hpp"
#include "store/sessions/passwords.hpp"

#include <functional>
#include <memory>
#include <string>
#include <variant>

/// The messages, responses and dependencies of the actor that signs users in.
namespace roost::actors {

/// The browser of a sign-in.
struct browser_facts {
  std::string name; ///< its User-Agent
  std::string address;
};

struct password_login {
  std::string email, password;
  std::string remembered_token; ///< from the remembered-browser cookie; empty if none was sent
  browser_facts browser;
};
struct code_login {
  std::string challenge_token, code;
  bool remember = false; ///< whether to remember the browser
  browser_facts browser;
};
/// Asks for another code by mail.
struct resend_sign_in_code {
  std::string challenge_token;
};
/// A sign-in with a third party's verified identity token.
struct identity_login {
  store::identity identity;
  browser_facts browser;
};

struct signed_in {
  store::session_started session;
  std::string remember_token; ///< for the cookie; empty if the browser should not be remembered
};
struct challenge_opened {
  std::string challenge_token; ///< empty after a resend, which keeps the token
  domain::timestamp expires_at{};
  std::string email;
};

/// Why a sign-in was refused, apart from the reasons of challenge_failure (Management API, Errors).
enum class sign_in_refusal { invalid_credentials, deactivated, no_longer_valid };
struct too_many_passwords {
  std::chrono::milliseconds retry_after{};
};
struct too_many_codes {
  std::chrono::milliseconds retry_after{};
};

struct sign_in_response {
  std::variant<sign_in_refusal, signed_in, challenge_opened, store::challenge_failure, too_many_passwords,
               too_many_codes>
      result;
};

/// A password change by a signed-in user.
struct change_password {
  domain::uuid user_id{};
  std::string email, old_password, new_password;
};
struct reset_password {
  std::string token, new_password;
};
enum class password_result { changed, wrong_password, link_not_valid };
struct password_response {
  std::variant<password_result, too_many_passwords> result;
};

/// Asks for a reset link for this address. There is no response, so that neither its content nor its timing
/// reveals whether the user exists.
struct forgot_password {
  std::string email;
};

/// Signs users in and changes their passwords (Management API, States and transitions, Sign-in challenge).
/// Passwords of one address are checked one after another, so that parallel guesses gain nothing over
/// sequential ones. Responds with storage_error if the store fails.
using sign_in = caf::typed_actor<caf::replies_to<password_login>::with<sign_in_response>,
                                 caf::replies_to<code_login>::with<sign_in_response>,
                                 caf::replies_to<resend_sign_in_code>::with<sign_in_response>,
                                 caf::replies_to<identity_login>::with<sign_in_response>,
                                 caf::replies_to<change_password>::with<password_response>,
                                 caf::replies_to<reset_password>::with<password_response>,
                                 caf::reacts_to<forgot_password>>;

/// Creates the mails to users.
struct sign_in_mails {
  using to = const store::sign_in_user&;
  std::function<domain::outgoing_mail(to, const std::string& code, domain::timestamp now)> code;
  std::function<domain::outgoing_mail(to, const browser_facts& browser, domain::timestamp now)> new_browser;
  std::function<domain::outgoing_mail(to, const std::string& token, domain::timestamp now)> reset;
  std::function<domain::outgoing_mail(to, domain::timestamp now)> password_changed;
};
/// Shared, because jobs on a storage actor's thread may outlive the actor.
using shared_sign_in_mails = std::shared_ptr<const sign_in_mails>;

struct sign_in_setup : password_gate_setup {
  std::shared_ptr<session_register> ended;
  actors::mailer mailer;
  const published<security::key_ring>* keys = nullptr; ///< seal the codes
  security::password_cost cost = security::default_password_cost;
  sign_in_mails mails;
  metrics::registry* registry = nullptr;
};

sign_in spawn_sign_in(runtime& rt, sign_in_setup setup);

} // namespace roost::actors
