#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/columns.hpp"

#include <optional>
#include <string>

namespace roost::store {

/// Where a sign-in challenge stands (Management API, States and transitions, Sign-in challenge). That its
/// time is over, or that it has no tries left, is not written down.
enum class challenge_state {
  pending,
  consumed,  ///< the code was right
  cancelled, ///< a later sign-in took its place
  over,      ///< too many codes were asked for
};

std::string_view to_string(challenge_state state);
challenge_state parse_challenge_state(std::string_view text); ///< throws failure

struct challenge_row {
  domain::uuid id{};
  std::string token_hash;
  domain::uuid user_id{};
  std::int64_t epoch = 0; ///< of the user: a change of the password makes the challenge worthless
  challenge_state state = challenge_state::pending;
  std::string code_seal; ///< of the code that was sent last
  unsigned tries = 0;    ///< with that code
  unsigned resends = 0;
  domain::timestamp created_at{};
  domain::timestamp expires_at{}; ///< of that code
};

using challenge_state_format = enum_format<challenge_state, to_string, parse_challenge_state>;

inline constexpr auto challenge_columns = columns(
    column("id", &challenge_row::id).key(), column("token_hash", &challenge_row::token_hash).origin(),
    column("user_id", &challenge_row::user_id).origin(), column("epoch", &challenge_row::epoch).origin(),
    column<challenge_state_format>("state", &challenge_row::state),
    column("code_seal", &challenge_row::code_seal), column("tries", &challenge_row::tries),
    column("resends", &challenge_row::resends), column("created_at", &challenge_row::created_at).origin(),
    column("expires_at", &challenge_row::expires_at));

struct code_row {
  domain::uuid id{};
  domain::uuid user_id{};
  domain::timestamp sent_at{};
};

inline constexpr auto code_columns =
    columns(column("id", &code_row::id).key(), column("user_id", &code_row::user_id),
            column("sent_at", &code_row::sent_at));

struct wrong_password_row {
  domain::uuid id{};
  std::string address_hash;
  domain::timestamp tried_at{};
};

inline constexpr auto wrong_password_columns = columns(
    column("id", &wrong_password_row::id).key(), column("address_hash", &wrong_password_row::address_hash),
    column("tried_at", &wrong_password_row::tried_at));

struct remembered_browser_row {
  domain::uuid id{};
  std::string token_hash;
  domain::uuid user_id{};
  std::int64_t epoch = 0;
  domain::timestamp created_at{};
  domain::timestamp expires_at{};
};

inline constexpr auto remembered_browser_columns = columns(
    column("id", &remembered_browser_row::id).key(),
    column("token_hash", &remembered_browser_row::token_hash),
    column("user_id", &remembered_browser_row::user_id), column("epoch", &remembered_browser_row::epoch),
    column("created_at", &remembered_browser_row::created_at),
    column("expires_at", &remembered_browser_row::expires_at));

struct password_reset_row {
  domain::uuid id{};
  std::string token_hash;
  domain::uuid user_id{};
  std::int64_t epoch = 0; ///< of the user: a change of the password makes the link worthless
  domain::timestamp created_at{};
  domain::timestamp expires_at{};
  std::optional<domain::timestamp> used_at;
};

inline constexpr auto password_reset_columns = columns(
    column("id", &password_reset_row::id).key(), column("token_hash", &password_reset_row::token_hash),
    column("user_id", &password_reset_row::user_id), column("epoch", &password_reset_row::epoch),
    column("created_at", &password_reset_row::created_at),
    column("expires_at", &password_reset_row::expires_at), column("used_at", &password_reset_row::used_at));

} // namespace roost::store
