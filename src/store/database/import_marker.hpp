#pragma once

#include "store/database/session.hpp"

#include <cstdint>
#include <optional>

/// The mark of an import that SQLite takes in pieces, from when it happens for certain until all of it is
/// written. PostgreSQL takes an import at once and has no such mark.
namespace roost::store {

/// Whether there is one: what is in the tables of the portfolio is half of it.
bool is_import_pending(session& db);

/// The number of its step that is written next, which rises while somebody writes them; 0 when only the end
/// is left. Nothing where none is pending.
std::optional<std::int64_t> next_import_step(session& db);

/// Throws unavailable while one is pending. In a transaction that holds until its end.
void refuse_while_importing(session& db);

} // namespace roost::store
