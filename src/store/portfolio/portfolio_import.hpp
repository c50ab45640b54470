#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"
#include "store/portfolio/import_context.hpp"

namespace roost::store {

/// Upserts whole accounts by id in one transaction. Passwords must have been hashed: details.password_hash is
/// what is stored.
///
/// What an imported account leaves out is removed: cards, users, links, exclusions, booking windows, month
/// rents and its manual and channel blocks. A unit or property that is left out is removed too, or archived
/// when there are bookings of it. Bookings, their blocks, tenants, keys and usage records stay. A block
/// without an id keeps the id and the creation time of a stored one with the same nights, source and host.
import_result import_portfolio(session& db, const domain::portfolio& file, const import_context& with);

} // namespace roost::store
