#pragma once

#include "store/database/session.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

struct migration {
  int version;
  const char* name;
  const std::string_view* sqlite;
  const std::string_view* postgresql;
};

/// All migrations in order, without gaps. CMake lists the files in `migrations/`. An applied migration never
/// changes.
extern const std::span<const migration> migrations;

/// Updates the schema, one transaction per migration, and returns the names of the applied migrations. Safe
/// when several processes start at once. Throws schema_mismatch if the schema is newer than this program, or
/// if an applied migration differs from this program's.
std::vector<std::string> migrate(session& db);

/// Migrates up to this version only, which yields a store as an earlier version of the program left it.
std::vector<std::string> migrate_to(session& db, int version);

/// Returns whether the database contains a store. Throws the same errors as migrate().
bool has_schema(session& db);

/// Returns the schema version that this program uses: that of its last migration.
int newest_schema();

/// Returns whether migrate() would be a no-op. Throws the same errors.
bool schema_is_current(session& db);

} // namespace roost::store
