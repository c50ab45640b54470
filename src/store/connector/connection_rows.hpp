#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/columns.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace roost::store {

/// What a landlord agreed to, until a client exchanges it for tokens (RFC 6749, 4.1.2).
struct authorization_code {
  domain::uuid id{}; ///< of the consent form; the connection's afterwards
  std::string hash;
  std::string client_id;
  std::optional<std::string> client_name;
  std::string redirect_uri;
  std::string challenge; ///< PKCE's, by S256 (RFC 7636)
  domain::uuid user_id{};
  std::string resource; ///< whom the tokens are for (RFC 8707)
  domain::timestamp created_at{}, expires_at{};
  std::optional<domain::timestamp> used_at;
};

/// A client's access to what one user may do (Management API, OAuth artifacts).
struct connection {
  domain::uuid id{};
  std::string client_id;
  std::optional<std::string> client_name;
  domain::uuid user_id{};
  std::string resource;
  std::int64_t generation = 1;               ///< of the refresh token that is good now
  domain::timestamp created_at{}, used_at{}; ///< approved; last refreshed
  domain::timestamp expires_at{};            ///< unless it is refreshed before
  std::optional<domain::timestamp> ended_at{};
  std::optional<std::string> ended_by; ///< user, operator, reuse or code_replay
};

inline constexpr auto authorization_code_columns = columns(
    column("id", &authorization_code::id).key(), column("hash", &authorization_code::hash),
    column("client_id", &authorization_code::client_id),
    column("client_name", &authorization_code::client_name),
    column("redirect_uri", &authorization_code::redirect_uri),
    column("challenge", &authorization_code::challenge), column("user_id", &authorization_code::user_id),
    column("resource", &authorization_code::resource), column("created_at", &authorization_code::created_at),
    column("expires_at", &authorization_code::expires_at), column("used_at", &authorization_code::used_at));

inline constexpr auto connection_columns = columns(
    column("id", &connection::id).key(), column("client_id", &connection::client_id).origin(),
    column("client_name", &connection::client_name).origin(),
    column("user_id", &connection::user_id).origin(), column("resource", &connection::resource).origin(),
    column("generation", &connection::generation), column("created_at", &connection::created_at).origin(),
    column("used_at", &connection::used_at), column("expires_at", &connection::expires_at),
    column("ended_at", &connection::ended_at), column("ended_by", &connection::ended_by));

} // namespace roost::store
