#pragma once

#include "domain/ai_usage.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <vector>

/// Reads one account's AI usage ledger (Management API, AI usage). System-wide calls belong to no account.
namespace roost::store {

/// Returns at most `limit` matching records after skipping the first `offset`, newest first, and their total
/// number.
domain::ai_usage_page read_usage_page(session& db, const domain::uuid& account,
                                      const domain::ai_usage_filter& filter, std::int64_t offset,
                                      std::int64_t limit);

domain::ai_usage_summary read_usage_summary(session& db, const domain::uuid& account,
                                            const domain::ai_usage_filter& filter);

/// Returns the usage on each whole UTC day of the filter's interval, by day, feature and model.
std::vector<domain::ai_usage_day> read_usage_days(session& db, const domain::uuid& account,
                                                  const domain::ai_usage_filter& filter);

} // namespace roost::store
