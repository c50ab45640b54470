#pragma once

#include "store/database/cell.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct pg_conn; // PGconn of libpq

/// Bulk inserts into PostgreSQL with `copy`, in its binary format, which PostgreSQL parses faster than text.
namespace roost::store {

/// Appends the text of a cell in the binary format of a type, with its length in front. Throws failure for
/// text that is invalid for the type, and constraint_violated for text with a NUL byte, which PostgreSQL
/// cannot store.
using append_binary = void (*)(std::string& out, std::string_view text);

/// Returns the format of the type with this name in SQL. Throws failure for any other name.
append_binary binary_format_of(std::string_view type);

/// Writes rows with `command`, a `copy … from stdin (format binary)`: the cheapest way for PostgreSQL to
/// insert many rows. `types` are the types of the cells of a row. Returns the number of rows. Throws
/// soci::postgresql_soci_error like SOCI's own statements, and the errors of the types.
std::int64_t copy_in(pg_conn* db, const std::string& command, std::span<const append_binary> types,
                     const cell_list& cells);

/// Writes rows that are already encoded in the format that `command` names.
std::int64_t copy_in(pg_conn* db, const std::string& command, std::string_view rows);

} // namespace roost::store
