#pragma once

#include "store/cell.hpp"

#include <cstdint>
#include <libpq-fe.h>
#include <span>
#include <string>

namespace roost::store {

/// Writes rows of `width` cells with `command`, a `copy … from stdin` in its text format: of all ways to
/// insert many rows the one that costs PostgreSQL least. The server reads while the later rows are still
/// being written. The number of rows; throws soci::postgresql_soci_error like SOCI's own statements, and
/// constraint_violated for text with a NUL byte.
std::int64_t copy_in(PGconn* to, const std::string& command, std::size_t width, std::span<const cell> cells);

} // namespace roost::store
