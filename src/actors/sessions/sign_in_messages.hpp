#pragma once

#include "actors/mailing/mailer.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/sessions/password_gate.hpp"
#include "actors/sessions/request_origin.hpp"
#include "actors/sessions/session_register.hpp"
#include "actors/sessions/user_directory.hpp"
#include "security/password.hpp"
#include "security/secrets.hpp"
#include "store/sessions/passwords.hpp"

#include <functional>
#include <memory>
#include <string>
#include <variant>

/// The messages, responses and dependencies of the actor that signs users in.
namespace roost::actors {

/// The browser of a sign-in, and its request.
struct browser_facts {
  std::string name; ///< its User-Agent
  request_origin origin;
  std::string token = {}; ///< of the cookie that marks it; a new one if it sent none; empty: it stays unknown
};

struct password_login {
  std::string email, password;
  std::string remembered_token; ///< from the remembered-browser cookie; empty if none was sent
  browser_facts browser;
};

struct signed_in {
  store::session_started session;
  std::string remember_token; ///< for the cookie; empty if the browser should not be remembered
  std::string browser_token;  ///< for the cookie that marks the browser; empty: none
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
  request_origin origin = {};
  bool end_connections = false; ///< of the user's assistants
};
enum class password_result { changed, wrong_password, link_not_valid };
struct password_response {
  std::variant<password_result, too_many_passwords> result;
};

/// Checks passwords, for sign-ins and to change them (Management API, States and transitions, Sign-in
/// challenge); sign_in_repository and password_reset_repository do the rest. Passwords of one address are
/// checked one after another, so that parallel guesses gain nothing over sequential ones. Responds with
/// storage_error if the store fails.
using sign_in = caf::typed_actor<caf::replies_to<password_login>::with<sign_in_response>,
                                 caf::replies_to<change_password>::with<password_response>>;

/// Creates the mails to users.
struct sign_in_mails {
  using to = const store::sign_in_user&;
  std::function<domain::outgoing_mail(to, const std::string& code, domain::timestamp now)> code;
  std::function<domain::outgoing_mail(to, const browser_facts& browser, domain::timestamp now)> new_browser;
  std::function<domain::outgoing_mail(to, const std::string& token, domain::timestamp now)> reset;
  std::function<domain::outgoing_mail(to, const known_user& from, const std::string& token,
                                      domain::timestamp now)>
      invitation;
  std::function<domain::outgoing_mail(to, const store::connected_assistants& assistants,
                                      domain::timestamp now)>
      password_changed;
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
  std::chrono::milliseconds access_token{}; ///< how long one issued so far may be valid
};

sign_in spawn_sign_in(runtime& rt, sign_in_setup setup);

} // namespace roost::actors
