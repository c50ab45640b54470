#pragma once

#include "store/database/session.hpp"

#include <string>
#include <vector>

namespace roost::store {

/// Brings the schema up to date and returns the names of what was applied. One transaction a migration; safe
/// when several processes start at once. Throws schema_mismatch when the store's schema is newer than this
/// program, or when an applied migration is not the one that this program carries.
std::vector<std::string> migrate(session& db);

/// The same up to the migration of this number only: a store as an earlier version of the program left it.
std::vector<std::string> migrate_to(session& db, int version);

/// Whether it is a store at all. Throws the same errors as migrate().
bool has_schema(session& db);

/// The number of the last migration that this program carries: the schema that it works with.
int newest_schema();

/// Whether migrate() would find nothing to do. Throws the same errors.
bool schema_is_current(session& db);

} // namespace roost::store
