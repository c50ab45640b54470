#pragma once

#include "store/database/lease.hpp"

#include <cstdint>

namespace roost::store {

/// Counts the changes that a running server must pick up: imports, tokens and keys. Cheap enough to be asked
/// several times a second.
std::int64_t change_version(session& db);

/// The version that the running server serves, as it last recorded.
std::int64_t applied_version(session& db);

/// Records that the running server now serves `version`, so that a command can wait for it. Throws
/// lease_lost.
void mark_applied(session& db, const lease& held, std::int64_t version);

} // namespace roost::store
