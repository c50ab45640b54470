#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"
#include "store/portfolio/import_context.hpp"

namespace roost::store {

/// Imports a file into SQLite without holding its only write lock for long. First what is to be written is
/// put aside, in steps that nobody reads. When the portfolio is still what the steps were made for, one
/// commit makes them pending: from then on the import happens, whoever writes it. Then they are written in
/// short transactions with pauses between them, and the last one counts the change: nothing is loaded before,
/// and no decision rests on it.
///
/// While an import is pending, the portfolio is written by nobody else (refuse_while_importing).
import_result import_in_pieces(session& db, const domain::portfolio& file, const import_context& with);

/// Writes the rest of a pending import, if there is one: its own process may have ended.
void write_pending_import(session& db);

} // namespace roost::store
