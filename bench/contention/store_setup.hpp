#pragma once

#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "strategy.hpp"
#include "verifier.hpp"

#include <vector>

/// Prepares a store before a load, and reads its stays afterwards.
namespace roost::contention {

/// Migrates the schema and imports a portfolio with this number of units, a hundred per account.
void prepare_portfolio(store::session& db, std::uint32_t units);

/// How the tables detect overlapping stays: no more than the strategy needs.
enum class guard {
  none,      ///< for strategies that know all stays
  exclusion, ///< the exclusion constraint; on SQLite a trigger
  index,     ///< an index for strategies that check themselves
};

/// Creates the table of the bare depth. The whole depth uses the service's tables, whose exclusion constraint
/// is dropped for strategies that check themselves.
void prepare_tables(store::session& db, depth level, guard overlap_guard);

/// Creates what peers on PostgreSQL need in addition: a row per unit to lock, and indexes to find tenants.
void prepare_peer_tables(store::session& db, depth level, std::uint32_t units);

/// Stores the first requests of the workload as pending.
void prepare_requests(store::session& db, const store::lease& lease, const workload_options& options,
                      std::uint64_t count);

std::vector<stored_stay> read_stays(store::session& db, depth level);

} // namespace roost::contention
