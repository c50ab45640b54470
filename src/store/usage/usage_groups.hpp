#pragma once

#include "domain/ai_usage.hpp"
#include "store/database/session.hpp"

namespace roost::store {

/// Returns the summary of an account's usage with its groups, both of the same state of the ledger. Groups by
/// day come from the daily totals, except for partial days; groups by user from the records of the period,
/// because the totals have no users.
domain::ai_usage_summary read_usage_groups(session& db, const domain::uuid& account,
                                           const domain::ai_usage_filter& filter,
                                           domain::ai_usage_grouping by);

} // namespace roost::store
