#pragma once

#include "simulation/late_commit.hpp"

#include <chrono>
#include <cstdint>
#include <functional>

/// Faults of SQLite stores in the whole program: each arms one fault of the next commit or read.
namespace roost::testing::store_faults {

enum class fault {
  none,
  full_disk,     ///< nothing is written, and the transaction fails
  lost_response, ///< the transaction is committed, but its commit reports an error
  failed_sync,   ///< the commit reports an error; whether it is in the store shows when it is opened again
  late_commit, ///< the commit reports an error, but continues: no other can begin until it succeeds or fails
  failed_read, ///< the next read of a file fails
  hang,        ///< the commit takes long, while everything that needs no write to the store continues
};

/// Makes faults possible. To be called before the first connection is opened.
void install();

/// Makes the next commit of any connection fail in this way. `late` concerns late commits only.
void arm(fault next, late_end late = {});

/// Lets a read fail whenever this returns true.
void fail_reads_if(std::function<bool()> fails);

/// Called during a commit that hangs; the commit continues when it returns.
void on_hang(std::function<void()> pass_time);

/// Returns how many faults have happened.
std::uint64_t happened();
/// Calls this after each commit of any connection. If it returns false, the commit reports an error, though
/// it is durable.
void observe_commits(bool (*observer)());

/// Calls this when the main thread sleeps. If it returns false, only the simulated time passes.
void observe_sleeps(bool (*observer)(std::chrono::nanoseconds));

} // namespace roost::testing::store_faults
