#pragma once

#include "domain/portfolio.hpp"
#include "store/database/bulk.hpp"
#include "store/portfolio/portfolio_tables.hpp"

#include <span>
#include <vector>

/// Reads of whole units by their ids, and writes of their parts.
namespace roost::store {

/// Returns the units with everything that portfolio files show of them, and their times of creation and
/// change, in no particular order; units that do not exist are left out. Requires a transaction.
std::vector<domain::portfolio_unit> read_units(session& db, std::span<const domain::uuid> ids);

/// The same, but the units have no blocks.
std::vector<domain::portfolio_unit> read_units_without_blocks(session& db, std::span<const domain::uuid> ids);

/// Writes the rents of months of several units. It writes each month separately, so that unchanged ones keep
/// their timestamps. Requires a transaction.
class month_rent_writer {
public:
  explicit month_rent_writer(session& db);

  void add(const domain::uuid& unit, std::span<const domain::month_rent> before,
           std::span<const domain::month_rent> after);
  void finish();

private:
  bulk_writer<owned_row<domain::month_rent>> removed_, changed_, added_;
};

/// The same for one unit.
void write_month_rents(session& db, const domain::uuid& unit, std::span<const domain::month_rent> before,
                       std::span<const domain::month_rent> after);

} // namespace roost::store
