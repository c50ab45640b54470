#pragma once

#include "store/database/session.hpp"

#include <optional>
#include <string>

namespace roost::store {

/// Returns the fingerprint of the keys with which the store's tokens are signed; nullopt if none are bound
/// yet.
std::optional<std::string> signing_keys_of(session& db);

/// Throws other_signing_keys if the store is bound to other keys, because its server would reject tokens
/// signed with these, and vice versa. A store without bound keys accepts any.
void check_signing_keys(session& db, const std::string& fingerprint);

/// Binds the store to these keys if it has none, and then checks them as check_signing_keys() does. Only code
/// that signs or verifies tokens with them may call it.
void bind_signing_keys(session& db, const std::string& fingerprint);

/// Binds the store to these keys, which invalidates every token signed with others.
void adopt_signing_keys(session& db, const std::string& fingerprint);

} // namespace roost::store
