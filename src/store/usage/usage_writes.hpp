#pragma once

#include "domain/ai_usage.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

/// Additions to the AI usage ledger (Management API, AI usage record). Nothing in it is ever changed.
namespace roost::store {

/// What became of the records that were to be added.
struct usage_written {
  std::size_t recorded = 0;
  std::size_t known = 0;   ///< there was one of the same id: it stays as it is
  std::size_t refused = 0; ///< there is no such account

  usage_written& operator+=(const usage_written& more);
};

/// Adds the records in one transaction. Throws lease_lost.
usage_written record_usage(session& db, const lease& held, std::span<const domain::ai_usage_record> records);

/// Adds the records in many short transactions, so that a running server can write in between. `progress` is
/// told how many are done; it may be empty. After a failure the records may be given again.
usage_written import_usage(session& db, std::span<const domain::ai_usage_record> records,
                           const std::function<void(std::size_t done)>& progress);

/// Those of the accounts that do not exist.
std::vector<domain::uuid> unknown_accounts(session& db, std::span<const domain::uuid> accounts);

} // namespace roost::store
