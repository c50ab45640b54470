#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/columns.hpp"

#include <optional>
#include <string>

namespace roost::store {

/// Who ended a session before its time.
enum class session_end {
  logout,      ///< the user, in that browser
  reuse,       ///< a replaced refresh token came again
  by_user,     ///< the user, from another browser
  by_operator, ///< roost session revoke
};

std::string_view to_string(session_end by);

/// A sign-in and all that followed from it (Management API, States and transitions, Session and refresh
/// cookie).
struct session_row {
  domain::uuid id{};
  domain::uuid user_id{};
  std::int64_t epoch = 0;      ///< of its user when it began; it has ended once the user's is a later one
  std::int64_t generation = 1; ///< of the refresh token that is good now
  domain::timestamp created_at{};
  domain::timestamp rotated_at{}; ///< when that token was made: the last use
  domain::timestamp expires_at{};
  std::optional<domain::timestamp> ended_at;
  std::optional<std::string> ended_by;
  std::string browser; ///< its User-Agent
  std::string address; ///< the client's, at the last use
};

inline constexpr auto session_columns = columns(
    column("id", &session_row::id).key(), column("user_id", &session_row::user_id).origin(),
    column("epoch", &session_row::epoch).origin(), column("generation", &session_row::generation),
    column("created_at", &session_row::created_at).origin(), column("rotated_at", &session_row::rotated_at),
    column("expires_at", &session_row::expires_at).origin(), column("ended_at", &session_row::ended_at),
    column("ended_by", &session_row::ended_by), column("browser", &session_row::browser).origin(),
    column("address", &session_row::address));

} // namespace roost::store
