#pragma once

#include "domain/booking.hpp"
#include "store/database/transaction.hpp"
#include "store/sessions/session_rows.hpp"
#include "store/sessions/users.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <variant>

/// Signing in, a transaction a step (Management API, States and transitions, Sign-in challenge).
namespace roost::store {

/// The specification's lifetimes and budgets.
struct sign_in_limits {
  std::chrono::milliseconds session{};
  std::chrono::milliseconds remembered_browser{};
  std::chrono::milliseconds code{};
  unsigned code_tries = 0;
  unsigned code_resends = 0;
  unsigned codes_per_15m = 0;
  unsigned wrong_passwords_per_15m = 0;
  std::chrono::milliseconds password_reset{};
};

/// What the budgets of codes and of wrong passwords are counted over.
inline constexpr std::chrono::minutes budget_window{15};

/// A mail to a user whom only the store knows when it is written.
using mail_to_user = std::function<domain::outgoing_mail(const sign_in_user&)>;

/// A session that may begin: all that does not depend on the user.
struct session_wish {
  domain::uuid id{};
  std::string browser; ///< its User-Agent
  std::string address;
  domain::timestamp now{};
  mail_to_user new_browser_notice; ///< for a browser that the user has not signed in with before
};

/// A code to be sent.
struct code_wish {
  domain::uuid id{};
  std::string seal;
  mail_to_user mail;
  domain::timestamp now{};
};

struct session_started {
  domain::uuid user_id{};
  domain::uuid session_id{};
  std::int64_t epoch = 0;
  domain::timestamp expires_at{};
};
struct code_sent {
  domain::timestamp expires_at{};
  std::string email; ///< where to
};
struct too_many {
  std::chrono::milliseconds retry_after{};
};
/// Deactivated, removed, or changed since the password was checked.
struct user_not_allowed {};

/// What a sign-in's first step looks at.
struct sign_in_facts {
  std::optional<sign_in_user> user;
  std::optional<too_many> wrong_passwords; ///< there were too many: nothing is to be checked
};

/// Reads them. The address is counted by its hash.
sign_in_facts read_sign_in(session& db, std::string_view email, std::string_view address_hash,
                           domain::timestamp now, const sign_in_limits& limits);

/// Counts one, in a transaction of its own. Throws lease_lost.
void record_wrong_password(session& db, const lease& held, const domain::uuid& id,
                           std::string_view address_hash, domain::timestamp now);

/// A sign-in whose password was right.
struct password_sign_in {
  domain::uuid user_id{};
  std::int64_t epoch = 0;            ///< of the user whose password was checked
  std::string remembered_token_hash; ///< empty: no such cookie was sent
  session_wish session;
  std::string challenge_token_hash;
  code_wish code;
  std::optional<std::string> better_hash; ///< of the same password, made at today's cost
};

/// Starts a session where the browser is remembered, else opens a challenge and sends its code; an earlier
/// code is cancelled.
std::variant<session_started, code_sent, too_many, user_not_allowed>
begin_sign_in(session& db, const lease& held, const password_sign_in& wanted, const sign_in_limits& limits);

/// Why a challenge is over, as the specification's `reason`.
enum class challenge_failure {
  invalid_code,
  too_many_attempts,
  too_many_resends,
  expired,
  consumed,
  not_found,
};

/// By their values.
inline constexpr std::array<std::string_view, 6> challenge_failure_names{
    "invalid_code", "too_many_attempts", "too_many_resends", "expired", "consumed", "not_found"};
constexpr std::string_view to_string(challenge_failure why) {
  return challenge_failure_names[static_cast<std::size_t>(why)];
}

struct code_try {
  std::string token_hash;
  std::function<bool(const domain::uuid& challenge, const std::string& seal)> matches;
  std::optional<std::string> remember_token_hash; ///< of the cookie for a browser to be remembered
  session_wish session;
};

/// One try at a code. It is counted before anything is said about it.
std::variant<session_started, challenge_failure, user_not_allowed>
try_code(session& db, const lease& held, const code_try& wanted, const sign_in_limits& limits);

/// A new code in place of the one that was sent.
struct code_resend {
  std::string token_hash;
  std::function<code_wish(const domain::uuid& challenge)> code;
  domain::timestamp now{};
};

std::variant<code_sent, challenge_failure, too_many>
resend_code(session& db, const lease& held, const code_resend& wanted, const sign_in_limits& limits);

/// Who a third party says that somebody is.
struct identity {
  std::string issuer, subject, email;
};

/// Starts a session for the user with this identity; the first time for the one with its address, who has it
/// from then on.
std::variant<session_started, user_not_allowed, std::monostate>
sign_in_by_identity(session& db, const lease& held, const identity& of, const session_wish& session,
                    const sign_in_limits& limits);

} // namespace roost::store
