#pragma once

#include "domain/ai_usage.hpp"
#include "domain/money.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <string_view>
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

/// A time interval with both ends inclusive; empty if it ends before it begins.
struct usage_interval {
  domain::timestamp begin, end;

  bool is_empty() const { return end < begin; }
};

/// A filter's interval, split into its whole UTC days, whose totals the store keeps, and the rest before and
/// after them. Without a whole day, `before` is the whole interval.
struct split_interval {
  usage_interval before;
  domain::date first_day, last_day; ///< inclusive; there is no whole day if last_day < first_day
  usage_interval after;
};

split_interval split_by_day(const domain::ai_usage_filter& filter);

/// Returns a filter's whole interval, clamped to the times that a column can hold.
usage_interval interval_of(const domain::ai_usage_filter& filter);

/// Parses a cost or a sum of costs, as stored: SQLite has no exact decimals and stores a cost as four
/// integers, the multiples of 10^9, 1, 10^-9 and 10^-18, which are selected as one text with spaces in
/// between. Throws failure for invalid text.
domain::decimal parse_cost(std::string_view text);

} // namespace roost::store
