#pragma once

#include "store/sessions/sign_ins.hpp"

namespace roost::store {

/// A link by which a forgotten password is replaced.
struct reset_request {
  domain::uuid id{};
  std::string token_hash;
  mail_to_user mail;
  domain::timestamp now{};
};

/// Sends a link to the user with this address, if there is one who may sign in and who was not sent
/// `codes_per_15m` of them in the last fifteen minutes. Nobody is told which it was. Throws lease_lost.
void send_reset(session& db, const lease& held, std::string_view email, const reset_request& wish,
                const sign_in_limits& limits);

/// Who may use a link now; nothing when it is unknown, used or over, or the user's password was changed
/// since.
std::optional<sign_in_user> user_of_reset(session& db, std::string_view token_hash, domain::timestamp now);

/// A user's password and epoch were replaced: all earlier sessions have ended.
struct password_changed {
  domain::uuid user_id{};
  std::int64_t epoch = 0; ///< the new one
};

struct password_change {
  domain::uuid user_id{};
  std::int64_t epoch = 0;       ///< of the user when the old password, or the link, was checked
  std::string hash;             ///< of the new password
  std::string reset_token_hash; ///< the link that was used; empty: none was
  mail_to_user notice;
  domain::timestamp now{};
};

/// Nothing where the user is gone or deactivated, the password was changed meanwhile, or the link was used.
std::optional<password_changed> change_password(session& db, const lease& held,
                                                const password_change& wanted);

} // namespace roost::store
