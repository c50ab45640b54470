#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/connector/connection_rows.hpp"
#include "store/database/transaction.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace roost::store {

/// Why no tokens are given.
enum class token_refusal {
  unknown,        ///< no such code or connection, or of another client
  expired,        ///< its time is over
  used,           ///< the code was used before, which ends what came of it
  reused,         ///< the refresh token was replaced before, which ends the connection
  ended,          ///< the connection was ended
  user_gone,      ///< the user was removed
  no_tools,       ///< the user may use no tool at the moment
  other_redirect, ///< not the redirect URI that the code was sent to
  other_verifier, ///< not PKCE's verifier
  other_resource, ///< tokens for a resource that nobody agreed to
};

inline constexpr std::array<token_refusal, 10> token_refusals{
    token_refusal::unknown,       token_refusal::expired,        token_refusal::used,
    token_refusal::reused,        token_refusal::ended,          token_refusal::user_gone,
    token_refusal::no_tools,      token_refusal::other_redirect, token_refusal::other_verifier,
    token_refusal::other_resource};

std::string_view to_string(token_refusal why);

/// Tokens are owed for the connection as it is now, or none.
using token_outcome = std::variant<token_refusal, connection>;

/// Whether a user may use any tool now. Asked on a storage thread.
using tool_check = std::function<bool(const domain::uuid& user)>;

/// Stores the code, and that its client was used. False: that form gave a code before. Throws lease_lost.
bool issue_code(session& db, const lease& held, const authorization_code& code);

/// A code that was sent, and by whom.
struct code_exchange {
  std::string hash;
  std::string client_id;
  std::string redirect_uri;
  std::string challenge;               ///< of the verifier that was sent
  std::optional<std::string> resource; ///< nothing: it was not repeated
};

struct exchanged {
  token_outcome outcome = token_refusal::unknown;
  domain::uuid code_id{}; ///< of the code, and of the connection that it came to; nil: there is no such code
};

/// Makes the connection that a code stands for. Throws lease_lost.
exchanged exchange_code(session& db, const lease& held, const code_exchange& shown, const tool_check& may,
                        domain::timestamp now, std::chrono::milliseconds lifetime);

/// A refresh token that was sent, and by whom.
struct connection_refresh {
  domain::uuid id{};
  std::int64_t generation = 0;
  std::string client_id;
  std::optional<std::string> resource; ///< nothing: it was not repeated
};

struct refresh_terms {
  domain::timestamp now{};
  std::chrono::milliseconds grace{};    ///< in which a replaced token is a harmless repetition; 0: it is none
  std::chrono::milliseconds lifetime{}; ///< of a refresh token
};

/// Refreshes many connections in one transaction; the outcomes are in the order of what was wanted. Throws
/// lease_lost.
std::vector<token_outcome> refresh_connections(session& db, const lease& held,
                                               std::span<const connection_refresh> wanted,
                                               const tool_check& may, const refresh_terms& terms);

/// Ends one of the user's connections. False: there is none, or it has ended. Throws lease_lost.
bool end_connection_of(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id,
                       domain::timestamp now);

/// What a command does: a running server takes up the change that this returns. Nothing: there is no such
/// connection, or it has ended.
std::optional<stream_point> revoke_connection(session& db, const domain::uuid& id, domain::timestamp now);

/// A connection and its user, for lists. The address is empty where the user was removed.
struct listed_connection {
  store::connection connection;
  std::string email;
};

/// Those that neither ended nor are over, the last used first; of one user, or of all.
std::vector<listed_connection> live_connections(session& db, domain::timestamp now,
                                                const std::optional<domain::uuid>& user = {});
std::optional<listed_connection> find_connection(session& db, const domain::uuid& id);

/// Those that ended at `since` or later: their access tokens may still be about.
std::vector<domain::uuid> connections_ended_since(session& db, domain::timestamp since);

/// Of these ids, those of connections that a command ended.
std::vector<domain::uuid> revoked_connections(session& db, std::span<const domain::uuid> among);

/// Deletes at most `most` codes and connections each whose time was over at `before`. Returns how many there
/// were. Throws lease_lost.
std::int64_t delete_old_connections(session& db, const lease& held, domain::timestamp before,
                                    std::size_t most);

} // namespace roost::store
