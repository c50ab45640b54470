#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"
#include "store/portfolio/portfolio_import.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// Blocks that cover nights of stays. Only imports, also of earlier versions, can cause them: everything else
/// refuses them.
namespace roost::store {

struct block_overlap {
  domain::uuid unit_id{};
  std::string unit_name;
  domain::uuid block_id{}; ///< nil: a block that an import adds
  domain::nights block;
  domain::uuid booking_id{};
  domain::date check_in{}, check_out{};
};

/// Some of the overlaps, by the names of the units and the first nights of the blocks.
struct block_overlaps {
  std::vector<block_overlap> items;
  std::size_t total = 0; ///< including those that a limit leaves out
};

/// Returns the overlaps in the store of blocks and stays that have not ended before `today`; at most `limit`.
block_overlaps stored_overlaps(session& db, domain::date today, std::size_t limit);

/// Returns the overlaps that the account has after the planned import: those of blocks that the import adds
/// or changes, and stored ones that remain. Called in the visit of plan_import().
block_overlaps planned_overlaps(session& db, const planned_account& plan, domain::date today,
                                std::size_t limit);

} // namespace roost::store
