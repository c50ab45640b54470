#pragma once

#include "domain/ai_usage.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

/// Appends to the AI usage ledger (Management API, AI usage record), whose records never change.
namespace roost::store {

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
