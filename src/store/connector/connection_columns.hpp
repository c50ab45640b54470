#pragma once

#include "store/connector/connections.hpp"
#include "store/database/columns.hpp"

namespace roost::store {

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
