#pragma once

#include "store/database/session.hpp"

#include <optional>
#include <string>

namespace roost::store {

/// The fingerprint of the keys that the store's tokens are signed with; nothing before the first are known.
std::optional<std::string> signing_keys_of(session& db);

/// Throws other_signing_keys when the store's are others: tokens that are signed now would be refused by its
/// server, and the other way round. A store that knows none yet takes any.
void check_signing_keys(session& db, const std::string& fingerprint);

/// The same; a store that knows none yet notes these. Only who signs or checks tokens with them calls it.
void bind_signing_keys(session& db, const std::string& fingerprint);

/// From now on these are the store's: every token that others have signed is void.
void adopt_signing_keys(session& db, const std::string& fingerprint);

} // namespace roost::store
