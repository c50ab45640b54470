#pragma once

#include "judge.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "strategy.hpp"

#include <functional>
#include <string>

/// What is in the store before a load, and what is read of it afterwards.
namespace roost::contention {

/// Brings the schema up to date and imports a portfolio of so many units, a hundred an account.
void prepare_portfolio(store::session& db, std::uint32_t units);

/// What a store has against two stays that share a night: what the strategy needs, and no more.
enum class guard {
  none,      ///< nothing: who decides knows all stays
  exclusion, ///< the exclusion constraint; in SQLite a trigger
  index,     ///< an index by which a strategy looks for itself
};

/// Makes the bare depth's table. The whole depth has the service's tables with their exclusion constraint,
/// which is taken away for strategies that look for themselves.
void prepare_tables(store::session& db, depth how_much, guard kept_apart);

/// Makes what a peer on PostgreSQL needs besides: a row to lock for each unit, and indexes to find tenants
/// by.
void prepare_for_peer(store::session& db, depth how_much, std::uint32_t units);

/// Stores the workload's first requests as they wait for their decision.
void prepare_requests(store::session& db, const store::lease& held, const workload_options& options,
                      std::uint64_t count);

/// The stays that the store holds.
std::vector<stored_stay> read_stays(store::session& db, depth how_much);

} // namespace roost::contention
