#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/columns/replaced_tokens.hpp"
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

class old_rows;

/// A landlord's consent, until the client exchanges it for tokens (RFC 6749, 4.1.2).
struct authorization_code {
  domain::uuid id{}; ///< the consent form's, and later the connection's
  std::string hash;
  std::string client_id;
  std::optional<std::string> client_name;
  std::string redirect_uri;
  std::string challenge; ///< PKCE with S256 (RFC 7636)
  domain::uuid user_id{};
  std::int64_t epoch = 0; ///< the user's connection epoch at the consent
  std::string resource;   ///< the audience of the tokens (RFC 8707)
  domain::timestamp created_at{}, expires_at{};
  std::optional<domain::timestamp> used_at;
};

/// A client's access on behalf of one user (Management API, OAuth artifacts).
struct connection {
  domain::uuid id{};
  std::string client_id;
  std::optional<std::string> client_name;
  domain::uuid user_id{};
  std::int64_t epoch = 0; ///< the connection ends when the user's connection epoch increases
  std::string resource;
  std::int64_t generation = 1;               ///< of the current refresh token
  domain::timestamp created_at{}, used_at{}; ///< times of the approval and of the last refresh
  domain::timestamp expires_at{};            ///< unless refreshed earlier
  std::optional<domain::timestamp> ended_at{};
  std::optional<std::string> ended_by; ///< user, operator, reuse or code_replay
  replaced_tokens replaced{};          ///< before the current token's predecessor
};

/// The reason why no tokens are issued.
enum class token_refusal {
  unknown,        ///< no such code or connection, or it belongs to another client
  expired,        ///< the code or the connection has expired
  used,           ///< the code was used before, which ends its connection
  reused,         ///< the refresh token was already replaced, which ends the connection
  ended,          ///< the connection was ended, or its user deactivated or removed meanwhile
  user_gone,      ///< the user was removed
  no_tools,       ///< the user may not use any tool at present
  other_redirect, ///< the redirect URI differs from the code's
  other_verifier, ///< the PKCE verifier is wrong
  other_resource, ///< the resource differs from the consented one
  resource_gone,  ///< the consented resource is no longer that of a tool server
};

inline constexpr std::array<std::string_view, 11> token_refusal_names{
    "unknown",  "expired",        "used",           "reused",         "ended",        "user_gone",
    "no_tools", "other_redirect", "other_verifier", "other_resource", "resource_gone"};
constexpr const auto& names_of(token_refusal) { return token_refusal_names; }

/// The connection to issue tokens for, or the reason for the refusal.
using token_outcome = std::variant<token_refusal, connection>;

/// What must be true at present for tokens to be issued. Called on a storage thread.
struct grant_checks {
  std::function<bool(const domain::uuid& user)> may_use_tools;
  std::function<bool(const std::string& resource)> is_tool_server; ///< may tokens be issued for it?
};

/// Stores the code and the use of its client. Returns false if the form has already issued a code. Throws
/// lease_lost.
bool issue_code(session& db, const lease& held, const authorization_code& code);

/// A client's request to exchange a code.
struct code_exchange {
  std::string hash;
  std::string client_id;
  std::string redirect_uri;
  std::string challenge;               ///< derived from the verifier that was sent
  std::optional<std::string> resource; ///< nullopt if omitted
};

struct exchanged {
  token_outcome outcome = token_refusal::unknown;
  domain::uuid code_id{}; ///< of the code and its connection; nil if there is no such code
};

/// Creates the connection for a code. Throws lease_lost.
exchanged exchange_code(session& db, const lease& held, const code_exchange& request,
                        const grant_checks& checks, domain::timestamp now,
                        std::chrono::milliseconds lifetime);

/// A client's request to refresh its tokens.
struct connection_refresh {
  domain::uuid id{};
  std::int64_t generation = 0;
  std::string client_id;
  std::optional<std::string> resource; ///< nullopt if omitted
};

struct refresh_terms {
  domain::timestamp now{};
  std::chrono::milliseconds grace{};    ///< how long a replaced token may be repeated; 0 for never
  std::chrono::milliseconds lifetime{}; ///< of a refresh token
};

/// Refreshes many connections in one transaction; returns the outcomes in the order of the requests. Throws
/// lease_lost.
std::vector<token_outcome> refresh_connections(session& db, const lease& held,
                                               std::span<const connection_refresh> requests,
                                               const grant_checks& checks, const refresh_terms& terms);

/// Ends one of the user's connections. Returns false if there is no such connection or it has ended. Throws
/// lease_lost.
bool end_connection_of(session& db, const lease& held, const domain::uuid& user, const domain::uuid& id,
                       domain::timestamp now);

/// Invalidates the user's codes that are not exchanged yet. Requires a transaction.
void expire_codes(session& db, const domain::uuid& user, domain::timestamp now);

/// Ends all of a user's connections and invalidates codes that are not exchanged yet. Returns the connections
/// that were live, most recently used first. `by` is user or operator. Requires a transaction.
std::vector<connection> end_all_connections(session& db, const domain::uuid& user, domain::timestamp now,
                                            std::string_view by = "user");

/// Does the same in its own transaction. Throws lease_lost.
std::vector<connection> end_connections_of(session& db, const lease& held, const domain::uuid& user,
                                           domain::timestamp now);

/// Ends a connection for a command; returns the change for running servers, or nullopt if there is no such
/// connection or it has ended.
std::optional<stream_point> revoke_connection(session& db, const domain::uuid& id, domain::timestamp now);

/// A connection with its user's email address, which is empty if the user was removed.
struct listed_connection {
  store::connection connection;
  std::string email;
};

/// Returns the connections that have neither ended nor expired, most recently used first, of one user or of
/// all.
std::vector<listed_connection> live_connections(session& db, domain::timestamp now,
                                                const std::optional<domain::uuid>& user = {});
std::optional<listed_connection> find_connection(session& db, const domain::uuid& id);

/// Returns the connections that ended at `since` or later, whose access tokens may still be in use.
std::vector<domain::uuid> connections_ended_since(session& db, domain::timestamp since);

/// Returns those of the connections that a command ended.
std::vector<domain::uuid> revoked_connections(session& db, std::span<const domain::uuid> ids);

struct connection_lifetimes {
  std::chrono::milliseconds code{};
  std::chrono::milliseconds refresh_token{}; ///< while unused
};

/// Treats codes and connections that a wrong clock created or used in the future as created or used now: they
/// expire after their lifetime. Requires a correct clock. Throws lease_lost.
void shorten_connections(old_rows& rows, domain::timestamp now, const connection_lifetimes& lifetimes);

/// Deletes at most `limit` codes and `limit` connections that expired before `before`. Throws lease_lost.
void delete_old_connections(old_rows& rows, domain::timestamp before, std::size_t limit);

} // namespace roost::store
