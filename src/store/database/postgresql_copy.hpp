#pragma once

#include "store/database/cell.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

struct pg_conn; // PGconn of libpq

/// Bulk inserts into PostgreSQL with `copy`, in its binary format, which PostgreSQL parses faster than text.
namespace roost::store {

/// Appends the text of a cell in the binary format of a type, with its length in front. Throws
/// constraint_violated for text that is invalid for the type, and for text with a NUL byte, which PostgreSQL
/// cannot store.
using append_binary = void (*)(std::string& out, std::string_view text);

/// Returns the format of the type with this name in SQL. Throws failure for any other name.
append_binary binary_format_of(std::string_view type);

/// Encodes rows for a `copy … from stdin (format binary)`, the cheapest way for PostgreSQL to insert many
/// rows. `formats` are those of the cells of a row; their errors are thrown.
std::string encode_rows(std::span<const append_binary> formats, const cell_list& cells);

/// Writes rows that are encoded in the format that `command` names; returns their number. The rows are
/// complete before the copy begins: PostgreSQL has no timeout for a client that stops sending rows, so a
/// server stopped in the middle of a copy keeps its locks until another server closes its connection
/// (end_overdue_transactions). Throws result_error.
std::int64_t copy_in(pg_conn* db, const std::string& command, std::string_view rows);

} // namespace roost::store
