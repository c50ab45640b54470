#pragma once

#include "domain/date.hpp"
#include "domain/sign_in_limits.hpp"
#include "domain/uuid.hpp"
#include "store/columns/replaced_tokens.hpp"
#include "store/database/transaction.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

class old_rows;

/// How a session was ended before it expired.
enum class session_end {
  logout,      ///< by the user, in the same browser
  reuse,       ///< by reuse of a replaced refresh token
  by_user,     ///< by the user, from another browser
  by_operator, ///< by `roost session revoke`
};

inline constexpr std::array<std::string_view, 4> session_end_names{"logout", "reuse", "user", "operator"};
constexpr const auto& names_of(session_end) { return session_end_names; }

/// A signed-in session (Management API, States and transitions, Session and refresh cookie).
struct session_row {
  domain::uuid id{};
  domain::uuid user_id{};
  std::int64_t epoch = 0;      ///< of the user at sign-in; the session ends when the user's epoch increases
  std::int64_t generation = 1; ///< of the current refresh token
  domain::timestamp created_at{};
  domain::timestamp rotated_at{}; ///< when that token was issued, i.e. the last use
  domain::timestamp expires_at{};
  std::optional<domain::timestamp> ended_at;
  std::optional<std::string> ended_by;
  std::string browser;        ///< its User-Agent
  std::string address;        ///< the client's IP address at the last use
  replaced_tokens replaced{}; ///< before the current token's predecessor
};

/// Inserts a new session. Requires a transaction.
void insert_session(session& db, const session_row& row);

/// A refresh token and the address of the client that sent it.
struct session_refresh {
  domain::uuid session_id{};
  std::int64_t generation = 0;
  std::string address;
};

enum class refresh_result {
  rotated,   ///< the next generation is now the current one
  repeated,  ///< replaced within the grace period: the current token is issued again
  unknown,   ///< no such session, or it has expired
  ended,     ///< signed out, or the password was changed
  reused,    ///< replaced before the grace period, which ends the session
  user_gone, ///< deactivated or removed
};

struct refresh_outcome {
  refresh_result result = refresh_result::unknown;
  domain::uuid user_id{};
  std::int64_t epoch = 0;
  std::int64_t generation = 0; ///< of the token to issue
  domain::timestamp expires_at{};
};

/// Refreshes many sessions in one transaction; returns the outcomes in the order of the requests. Of several
/// requests with the same token, the first rotates it and the others repeat it. Throws lease_lost.
std::vector<refresh_outcome> refresh_sessions(session& db, const lease& held,
                                              std::span<const session_refresh> requests,
                                              domain::timestamp now, std::chrono::milliseconds grace);

/// Ends a session. Returns false if there is no such session or it has ended. Throws lease_lost.
bool end_session(session& db, const lease& held, const domain::uuid& id, session_end by,
                 domain::timestamp now);

/// Does the same, but only if the session belongs to the user.
bool end_session_of(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id,
                    domain::timestamp now);

/// Ends a session for a command; returns the change for running servers, or nullopt if there is no such
/// session or it has ended.
std::optional<stream_point> revoke_session(session& db, const domain::uuid& id, domain::timestamp now);

/// A session with its user's email address.
struct listed_session {
  session_row session;
  std::string email;
};

/// Returns the sessions that have neither ended nor expired, most recently used first, of one user or of all.
std::vector<listed_session> live_sessions(session& db, domain::timestamp now,
                                          const std::optional<domain::uuid>& user = {});

/// Returns the account of a session's user; nullopt if the session or the user does not exist.
std::optional<domain::uuid> account_of_session(session& db, const domain::uuid& id);

/// The session of a cookie that a page received.
struct presented_session {
  refresh_result result = refresh_result::unknown; ///< of a refresh with this cookie
  std::optional<session_row> session;              ///< nullopt if the refresh would be refused
};

/// Reads the session of a cookie without changing it: the caller ends a session whose cookie was reused.
presented_session find_session(session& db, const session_refresh& token, domain::timestamp now,
                               std::chrono::milliseconds grace);

/// Returns the sessions that ended at `since` or later, whose access tokens may still be in use.
std::vector<domain::uuid> sessions_ended_since(session& db, domain::timestamp since);

/// Returns those of the sessions that a command ended.
std::vector<domain::uuid> revoked_sessions(session& db, std::span<const domain::uuid> ids);

/// Treats sessions, challenges, remembered browsers and links that a wrong clock created in the future as
/// created now: they expire after their lifetime. Requires a correct clock. Throws lease_lost.
void shorten_sign_ins(old_rows& rows, domain::timestamp now, const domain::sign_in_limits& limits);

/// Deletes sessions, challenges, codes, wrong passwords, remembered browsers and links that expired before
/// `before`, at most `limit` of each kind. Throws lease_lost.
void delete_old_sign_ins(old_rows& rows, domain::timestamp before, std::size_t limit);

} // namespace roost::store
