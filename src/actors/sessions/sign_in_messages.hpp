#pragma once

#include "actors/mailing/mailer.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/sessions/password_gate.hpp"
#include "actors/sessions/session_register.hpp"
#include "security/password.hpp"
#include "security/secrets.hpp"
#include "store/sessions/passwords.hpp"

#include <caf/typed_actor.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

/// What the actor that signs users in is asked, what it answers, and what it needs.
namespace roost::actors {

/// The browser that somebody signs in with.
struct browser_facts {
  std::string name; ///< its User-Agent
  std::string address;
};

struct password_login {
  std::string email, password;
  std::string remembered_token; ///< of the remembered-browser cookie; empty: none was sent
  browser_facts browser;
};
struct code_login {
  std::string challenge_token, code;
  bool remember = false; ///< the browser
  browser_facts browser;
};
struct code_again {
  std::string challenge_token;
};
/// A third party's identity token was checked.
struct identity_login {
  store::identity identity;
  browser_facts browser;
};

struct signed_in {
  store::session_started session;
  std::string remember_token; ///< for the cookie; empty: the browser is not to be remembered
};
struct challenge_opened {
  std::string challenge_token; ///< empty after a resend, whose token stays
  domain::timestamp expires_at{};
  std::string email;
};

/// Why nobody was signed in, apart from a code's reasons (Management API, Errors).
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

/// Of a user who is signed in.
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

/// Somebody says that this address's password is forgotten. Nobody is told whether there is such a user, not
/// even by the time that it takes: nothing is answered.
struct forgot_password {
  std::string email;
};

/// Signs users in and changes their passwords (Management API, States and transitions, Sign-in challenge).
/// Passwords of one address are tried one after the other, so that many tries at once get no further than the
/// same tries in a row. Each responds with storage_error when the store could not do it.
using sign_in = caf::typed_actor<
    caf::replies_to<password_login>::with<sign_in_response>,
    caf::replies_to<code_login>::with<sign_in_response>, caf::replies_to<code_again>::with<sign_in_response>,
    caf::replies_to<identity_login>::with<sign_in_response>,
    caf::replies_to<change_password>::with<password_response>,
    caf::replies_to<reset_password>::with<password_response>, caf::reacts_to<forgot_password>>;

/// What users are written.
struct sign_in_mails {
  using to = const store::sign_in_user&;
  std::function<domain::outgoing_mail(to, const std::string& code, domain::timestamp now)> code;
  std::function<domain::outgoing_mail(to, const browser_facts& browser, domain::timestamp now)> new_browser;
  std::function<domain::outgoing_mail(to, const std::string& token, domain::timestamp now)> reset;
  std::function<domain::outgoing_mail(to, domain::timestamp now)> password_changed;
};
/// Apart from the actor, as jobs on a storage actor's thread may outlive it.
using shared_sign_in_mails = std::shared_ptr<const sign_in_mails>;

struct sign_in_setup : password_gate_setup {
  std::shared_ptr<session_register> ended;
  actors::mailer mailer;
  const published<security::key_ring>* keys = nullptr; ///< that codes are sealed with
  security::password_cost cost = security::default_password_cost;
  sign_in_mails mails;
  metrics::registry* registry = nullptr;
};

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::password_login)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::code_login)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::code_again)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::identity_login)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::sign_in_response)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::change_password)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::reset_password)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::password_response)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::forgot_password)

namespace roost::actors {

sign_in spawn_sign_in(runtime& rt, sign_in_setup setup);

} // namespace roost::actors
