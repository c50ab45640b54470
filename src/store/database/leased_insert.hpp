#pragma once

#include "store/database/bulk.hpp"
#include "store/database/lease.hpp"

namespace roost::store {

/// Inserts rows in a transaction of their own, as a write_transaction would, but asks PostgreSQL once instead
/// of four times. Rows that exist already are left alone, so that the same rows may be sent again.
///
/// Throws lease_lost, or unavailable, after which the rows may or may not be in the store.
void insert_new(session& db, const lease& held, const cell_rows& rows);

} // namespace roost::store
