#pragma once

#include "store/database/cell.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct pg_conn; // PGconn of libpq

/// Bulk inserts into PostgreSQL with `copy`, in its binary format, which PostgreSQL parses faster than text.
namespace roost::store {

enum class binary_type : std::uint8_t {
  text, ///< and json
  jsonb,
  boolean,
  integer,
  bigint,
  double_precision,
  uuid,
  date,
  timestamptz,
};

/// Returns the type with this name in SQL. Throws failure for any other name.
binary_type binary_type_of(std::string_view name);

/// Writes rows with `command`, a `copy … from stdin (format binary)`: the cheapest way for PostgreSQL to
/// insert many rows. `types` are the types of the cells of a row. Returns the number of rows. Throws
/// soci::postgresql_soci_error like SOCI's own statements, constraint_violated for text with a NUL byte,
/// which PostgreSQL cannot store, and failure for a cell that is invalid for its type.
std::int64_t copy_in(pg_conn* db, const std::string& command, std::span<const binary_type> types,
                     const cell_list& cells);

/// Writes rows that are already encoded in the format that `command` names.
std::int64_t copy_in(pg_conn* db, const std::string& command, std::string_view rows);

} // namespace roost::store
