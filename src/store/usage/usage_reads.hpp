#pragma once

#include "domain/ai_usage.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <vector>

/// The AI usage ledger of one account (Management API, AI usage). System-wide calls are nobody's.
namespace roost::store {

/// The records that match, without the first `skip` ones, and at most so many.
domain::ai_usage_page read_usage_page(session& db, const domain::uuid& account,
                                      const domain::ai_usage_filter& filter, std::int64_t skip,
                                      std::int64_t most);

domain::ai_usage_summary read_usage_summary(session& db, const domain::uuid& account,
                                            const domain::ai_usage_filter& filter);

/// What was used on each of the whole UTC days of the filter's time; by day, feature and model.
std::vector<domain::ai_usage_day> read_usage_days(session& db, const domain::uuid& account,
                                                  const domain::ai_usage_filter& filter);

} // namespace roost::store
