#pragma once

#include "store/database/transaction.hpp"
#include "store/sessions/session_rows.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// A refresh token that was sent, and by whom.
struct session_refresh {
  domain::uuid session_id{};
  std::int64_t generation = 0;
  std::string address;
};

enum class refresh_result {
  rotated,   ///< the next generation is good from now on
  repeated,  ///< replaced a moment ago: its successor is given again
  unknown,   ///< no such session, or its time is over
  ended,     ///< signed out, or the password was changed
  reused,    ///< replaced longer ago, which ends the session
  user_gone, ///< deactivated, or removed
};

struct refresh_outcome {
  refresh_result result = refresh_result::unknown;
  domain::uuid user_id{};
  std::int64_t epoch = 0;
  std::int64_t generation = 0; ///< of the token to be given
  domain::timestamp expires_at{};
};

/// Refreshes many sessions in one transaction; the outcomes are in the order of what was wanted. Of several
/// with the same token the first one rotates and the others repeat it. Throws lease_lost.
std::vector<refresh_outcome> refresh_sessions(session& db, const lease& held,
                                              std::span<const session_refresh> wanted, domain::timestamp now,
                                              std::chrono::milliseconds grace);

/// Ends a session. False: there is none, or it has ended. Throws lease_lost.
bool end_session(session& db, const lease& held, const domain::uuid& id, session_end by,
                 domain::timestamp now);

/// The same for a user who must be the session's.
bool end_session_of(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id,
                    domain::timestamp now);

/// What a command does: a running server takes up the change that this returns. Nothing: there is no such
/// session, or it has ended.
std::optional<stream_point> revoke_session(session& db, const domain::uuid& id, domain::timestamp now);

/// A session and its user, for lists.
struct listed_session {
  session_row session;
  std::string email;
};

/// Those that neither ended nor are over, the last used first; of one user, or of all.
std::vector<listed_session> live_sessions(session& db, domain::timestamp now,
                                          const std::optional<domain::uuid>& user = {});

/// A session that is live, as a cookie of it is shown to a page. Nothing where a refresh would be refused.
std::optional<session_row> find_session(session& db, const session_refresh& shown, domain::timestamp now,
                                        std::chrono::milliseconds grace);

/// Those that ended at `since` or later: their access tokens may still be about.
std::vector<domain::uuid> sessions_ended_since(session& db, domain::timestamp since);

/// Of these ids, those of sessions that a command ended.
std::vector<domain::uuid> revoked_sessions(session& db, std::span<const domain::uuid> among);

/// Deletes at most `most` rows of each kind that nothing needs any more: sessions, challenges, codes, wrong
/// passwords, remembered browsers and links whose time was over at `before`. Returns how many there were.
std::int64_t delete_old_sign_ins(session& db, const lease& held, domain::timestamp before, std::size_t most);

} // namespace roost::store
