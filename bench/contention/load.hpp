#pragma once

#include "strategy.hpp"

#include <functional>
#include <sys/types.h>

namespace roost::contention {

/// Processor time in seconds.
struct processor_time {
  double clients = 0;  ///< for a peer, whose clients decide themselves: the whole application
  double server = 0;   ///< the server's process, or the rest of this one: the actors and their storage
  double database = 0; ///< the database's processes
};

struct load_result {
  history operations;
  clock::time_point started{};
  bool cut_short = false; ///< see request_schedule::is_cut_short()
  counts totals;
  processor_time used; ///< after the warm-up
};

/// Processes whose time is measured, including that of their children. 0: none, or this process.
struct measured_processes {
  pid_t database = 0, server = 0;
};

/// Runs the clients until the end of the duration, or until `stop` is true. Calls `on_measuring` after the
/// warm-up. Rethrows clients' errors outside the measured load.
load_result run_load(strategy& strategy, workload& requests, const load_options& options,
                     const std::atomic<bool>& stop, const measured_processes& processes,
                     const std::function<void()>& on_measuring);

} // namespace roost::contention
