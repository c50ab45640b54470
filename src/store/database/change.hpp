#pragma once

#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <span>

namespace roost::store {

/// Counts a change that running servers must pick up, and returns the new version. It locks a row
/// that every group of decisions reads, until the end of its transaction.
std::int64_t bump_version(session& db);

/// The same in a transaction of its own.
std::int64_t count_change(session& db);

/// The same where these accounts have changed, so that a running server reads them again.
std::int64_t mark_changed(session& db, std::span<const domain::uuid> accounts);

} // namespace roost::store
