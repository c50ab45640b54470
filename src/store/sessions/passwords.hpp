#pragma once

#include "store/sessions/sign_ins.hpp"

namespace roost::store {

/// A link to send for resetting a forgotten password.
struct reset_request {
  domain::uuid id{};
  std::string token_hash;
  mail_to_user mail;
  domain::timestamp now{};
};

/// Sends a link to the user with this address, if the user may sign in and has received fewer than
/// `codes_per_15m` links in the last fifteen minutes. Does not reveal which was the case. Throws lease_lost.
void send_reset(session& db, const lease& held, std::string_view email, const reset_request& request,
                const sign_in_limits& limits);

/// Returns the user who may use a link; nullopt if it is unknown, used or expired, or the password was
/// changed since.
std::optional<sign_in_user> user_of_reset(session& db, std::string_view token_hash, domain::timestamp now);

/// The result of a password change, which increases the epoch and so ends all earlier sessions.
struct password_changed {
  domain::uuid user_id{};
  std::int64_t epoch = 0; ///< the new one
};

struct password_change {
  domain::uuid user_id{};
  std::int64_t epoch = 0;       ///< of the user when the old password, or the link, was checked
  std::string hash;             ///< of the new password
  std::string reset_token_hash; ///< of the link that was used; empty if none
  mail_to_user notice;
  domain::timestamp now{};
};

/// Changes a password. Returns nullopt if the user was removed or deactivated, the password was changed
/// concurrently, or the link was used. Throws lease_lost.
std::optional<password_changed> change_password(session& db, const lease& held,
                                                const password_change& change);

} // namespace roost::store
