#pragma once

#include "store/database/cell.hpp"
#include "store/database/postgresql_copy.hpp"

#include <cstdint>
#include <libpq-fe.h>
#include <span>
#include <string>
#include <string_view>

namespace roost::store {

/// Writes rows with `command`, a `copy … from stdin (format binary)`: of all ways to insert many rows the one
/// that costs PostgreSQL least. `types` are those of a row's cells. The number of rows; throws
/// soci::postgresql_soci_error like SOCI's own statements, and what append_field() throws.
std::int64_t copy_in(PGconn* to, const std::string& command, std::span<const binary_type> types,
                     const cell_list& cells);

/// The same with rows that are ready: `command` tells in which format.
std::int64_t copy_in(PGconn* to, const std::string& command, std::string_view rows);

} // namespace roost::store
