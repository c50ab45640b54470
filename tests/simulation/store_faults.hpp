#pragma once

#include "simulation/late_commit.hpp"

#include <chrono>
#include <cstdint>
#include <functional>

/// Injects faults into all SQLite connections of the program. Each armed fault affects the next commit or
/// read.
namespace roost::testing::store_faults {

enum class fault {
  none,
  full_disk,     ///< nothing is written, and the transaction fails
  lost_response, ///< the transaction is committed, but its commit reports an error
  failed_sync,   ///< the commit reports an error; whether it is durable shows when the store is opened again
  late_commit,   ///< the commit reports an error but continues, and blocks others until it succeeds or fails
  failed_read,   ///< the next read of a file fails
  hang,          ///< the commit takes long; only writes to the store wait for it
};

/// Installs the hooks. Call before opening the first connection.
void install();

/// Arms a fault for the next commit or read of any connection. `late` applies to late commits only.
void arm(fault next, late_outcome late = {});

/// Sets a predicate: each read for which it returns true fails.
void fail_reads_if(std::function<bool()> fails);

/// Sets the function that a hanging commit calls; the commit continues when it returns.
void on_hang(std::function<void()> advance_time);

/// Returns the number of faults injected so far.
std::uint64_t fault_count();
/// Calls `observer` after each commit of any connection. If it returns false, the commit reports an error
/// although it is durable.
void observe_commits(bool (*observer)());

/// Calls `observer` when the main thread sleeps. If it returns false, only simulated time passes.
void observe_sleeps(bool (*observer)(std::chrono::nanoseconds));

} // namespace roost::testing::store_faults
