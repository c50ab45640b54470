#pragma once

#include "store/connector/connections.hpp"
#include "store/sessions/sign_ins.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
                const domain::sign_in_limits& limits);

/// Sends a link to a user whom another one has created and who cannot sign in yet; it is valid until
/// `expires_at`. Does nothing for other users, and for those who have received `codes_per_15m` links in the
/// last fifteen minutes. Requires a transaction.
void send_invitation(session& db, const domain::uuid& user, const reset_request& request,
                     domain::timestamp expires_at, const domain::sign_in_limits& limits);

/// Invalidates the unused links of a user. Requires a transaction.
void invalidate_links(session& db, const domain::uuid& user, domain::timestamp now);

/// Returns the user who may use a link; nullopt if it is unknown, used or expired, or the password was
/// changed since.
std::optional<sign_in_user> user_of_reset(session& db, std::string_view token_hash, domain::timestamp now);

/// The result of a password change, which increases the epoch and so ends all earlier sessions.
struct password_changed {
  domain::uuid user_id{};
  std::int64_t epoch = 0; ///< the new one
  std::vector<connection> ended_connections{};
};

/// The assistants that were connected when the password was changed.
struct connected_assistants {
  std::vector<connection> connections;
  bool ended = false; ///< whether the change ended their connections
};

/// Returns the budgets in which wrong passwords for a user are counted, apart from those of browsers.
using budgets_of_user = std::function<std::vector<std::string>(const sign_in_user&)>;

struct password_change {
  domain::uuid user_id{};
  std::int64_t epoch = 0;       ///< of the user when the old password, or the link, was checked
  std::string hash;             ///< of the new password
  std::string reset_token_hash; ///< of the link that was used; empty if none
  std::function<domain::outgoing_mail(const sign_in_user&, const connected_assistants&)> notice;
  domain::timestamp now{};
  budgets_of_user budgets{};    ///< to clear
  bool end_connections = false; ///< of all assistants
};

/// Changes a password, and forgets the wrong ones, which a stranger may have entered. Returns nullopt if the
/// user was removed or deactivated, the password was changed concurrently, or the link was used. Throws
/// lease_lost.
std::optional<password_changed> change_password(session& db, const lease& held,
                                                const password_change& change);

/// The result of set_user_password().
struct password_set {
  stream_point change; ///< for running servers
  connected_assistants assistants;
};

/// Sets the password of the user with this address (domain::email_key()), for a command, clears the user's
/// budgets, and ends the connections of all assistants on request. Returns nullopt if there is no such user.
std::optional<password_set> set_user_password(session& db, std::string_view email, std::string_view hash,
                                              domain::timestamp now, const budgets_of_user& budgets = {},
                                              bool end_connections = false);

} // namespace roost::store
