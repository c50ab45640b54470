#pragma once

#include "domain/ai_usage.hpp"
#include "domain/money.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

/// The AI usage ledger, whose records never change (Management API, AI usage record). Each query reads the
/// records of one account (Management API, AI usage); system-wide calls belong to no account.
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

/// The outcome of adding records.
struct usage_written {
  std::size_t recorded = 0;
  std::size_t known = 0;   ///< already stored with the same id, and left unchanged
  std::size_t refused = 0; ///< for unknown accounts

  void operator+=(const usage_written& other) {
    recorded += other.recorded;
    known += other.known;
    refused += other.refused;
  }
};

/// Adds the records in one transaction. Throws lease_lost.
usage_written record_usage(session& db, const lease& held, std::span<const domain::ai_usage_record> records);

/// Adds the records in many short transactions, so that a running server can write in between. `progress`,
/// which may be empty, receives the number of processed records. May be repeated after a failure.
usage_written import_usage(session& db, std::span<const domain::ai_usage_record> records,
                           const std::function<void(std::size_t processed)>& progress);

/// Returns the accounts that do not exist.
std::vector<domain::uuid> unknown_accounts(session& db, std::span<const domain::uuid> accounts);

} // namespace roost::store
