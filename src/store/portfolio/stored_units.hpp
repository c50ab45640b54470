#pragma once

#include "domain/portfolio.hpp"
#include "store/database/session.hpp"

#include <span>
#include <vector>

/// Reads of whole units by their ids, and writes of their parts.
namespace roost::store {

/// Returns the units with everything that portfolio files show of them, and their times of creation and
/// change, in no particular order; units that do not exist are left out. Requires a transaction.
std::vector<domain::portfolio_unit> read_units(session& db, std::span<const domain::uuid> ids);

/// Writes each month separately, so that unchanged ones keep their timestamps. Requires a transaction.
void write_month_rents(session& db, const domain::uuid& unit, std::span<const domain::month_rent> before,
                       std::span<const domain::month_rent> after);

} // namespace roost::store
