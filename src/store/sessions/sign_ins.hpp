#pragma once

#include "domain/booking.hpp"
#include "domain/date.hpp"
#include "domain/sign_in_limits.hpp"
#include "domain/uuid.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "store/database/transaction.hpp"
#include "store/sessions/sign_in_budgets.hpp"
#include "store/sessions/users.hpp"

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// Signs users in, one transaction per step (Management API, States and transitions, Sign-in challenge),
/// and remembers their browsers.
namespace roost::store {

/// Builds a mail to a user, who is known only in the transaction.
using mail_to_user = std::function<domain::outgoing_mail(const sign_in_user&)>;

/// The parts of a new session that do not depend on the user.
struct new_session {
  domain::uuid id{};
  std::string browser; ///< its User-Agent
  std::string address;
  domain::timestamp now{};
  mail_to_user new_browser_notice;     ///< sent if the user has signed in before, but not in this browser
  std::string browser_token_hash = {}; ///< of the cookie that marks the browser; empty: it remains unknown
};

/// A code to send.
struct outgoing_code {
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
  std::string email; ///< the recipient
};
/// The user was deactivated, removed, or changed since the password was checked.
struct user_not_allowed {};

/// The data for the first step of a sign-in.
struct sign_in_facts {
  std::optional<sign_in_user> user;
  std::optional<rate_limited> wrong_passwords; ///< if set, no password may be checked
};

/// Reads the user and the wrong passwords that were counted in this budget, which is a hash. With the lease,
/// it stores times in the future as now. Throws lease_lost.
sign_in_facts read_sign_in(session& db, const std::optional<lease>& held, std::string_view email,
                           std::string_view budget, domain::timestamp now,
                           const domain::sign_in_limits& limits);

/// Returns whether a remembered-browser cookie is valid for the user with this email address.
bool is_remembered_browser(session& db, std::string_view email, std::string_view token_hash,
                           domain::timestamp now);

/// A sign-in with a correct password.
struct password_sign_in {
  domain::uuid user_id{};
  std::int64_t epoch = 0;            ///< of the user whose password was checked
  std::string remembered_token_hash; ///< empty if the client sent no such cookie
  new_session session;
  std::string challenge_token_hash;
  outgoing_code code;
  std::optional<std::string> upgraded_hash; ///< of the same password, with the current cost
};

/// Starts a session if the browser is remembered. Otherwise opens a challenge, sends its code and cancels
/// earlier ones. Throws lease_lost.
std::variant<session_started, code_sent, rate_limited, user_not_allowed>
begin_sign_in(session& db, const lease& held, const password_sign_in& request,
              const domain::sign_in_limits& limits);

/// Why a challenge failed: the specification's `reason`.
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
constexpr const auto& names_of(challenge_failure) { return challenge_failure_names; }

struct code_try {
  std::string token_hash;
  std::function<bool(const domain::uuid& challenge, const std::string& seal)> matches;
  std::optional<std::string> remember_token_hash; ///< of the cookie, if the browser is to be remembered
  new_session session;
};

/// Checks a code and counts the attempt in the same transaction. Throws lease_lost.
std::variant<session_started, challenge_failure, user_not_allowed>
try_code(session& db, const lease& held, const code_try& attempt, const domain::sign_in_limits& limits);

/// A request to replace the code that was sent.
struct code_resend {
  std::string token_hash;
  std::function<outgoing_code(const domain::uuid& challenge)> code;
  domain::timestamp now{};
};

std::variant<code_sent, challenge_failure, rate_limited>
resend_code(session& db, const lease& held, const code_resend& request, const domain::sign_in_limits& limits);

/// A user's identity according to a third party's token.
struct identity {
  std::string issuer, subject, email;
  std::string token_hash{};             ///< identifies the token; empty: its use is not recorded
  domain::timestamp token_expires_at{}; ///< its use is remembered until then
};

/// The identity token has already signed a user in.
struct identity_token_used {};

/// Starts a session for the user with this identity. On first use, binds the identity to the user with its
/// address. Returns monostate if there is no such user. Throws lease_lost.
std::variant<session_started, user_not_allowed, identity_token_used, std::monostate>
sign_in_by_identity(session& db, const lease& held, const identity& identity, const new_session& session,
                    const domain::sign_in_limits& limits);

/// A browser in which a user signs in without a code (Management API, Authentication, rule 2).
struct remembered_browser {
  domain::uuid id{};
  std::string browser; ///< its User-Agent; empty: unknown
  domain::timestamp created_at{}, expires_at{};
};

/// Returns the user's browsers whose cookies are valid, the most recently remembered first.
std::vector<remembered_browser> remembered_browsers_of(session& db, const domain::uuid& user,
                                                       domain::timestamp now);

/// Invalidates the cookie of one of the user's browsers; its sessions continue. Returns false if the user has
/// no such browser. Throws lease_lost.
bool forget_browser(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id);

} // namespace roost::store
