#pragma once

#include "strategy.hpp"

#include <functional>
#include <sys/types.h>

namespace roost::contention {

/// Processor time, in seconds.
struct processor_time {
  double clients = 0;  ///< of a peer, whose clients decide themselves, the whole application
  double server = 0;   ///< the server's process, or the rest of this one: the actors and their storage
  double database = 0; ///< the database's processes
};

struct load_result {
  history operations;
  clock::time_point started{};
  bool cut_short = false; ///< the requests or a calendar ran out, or somebody stopped it
  counts all;
  processor_time used; ///< after the warm-up
};

/// Whose time is taken, with that of its children. 0: there is none, or none of its own.
struct measured_processes {
  pid_t database = 0, server = 0;
};

/// Runs the clients until the end of the duration, or until `stop` says so. `measuring` is called after the
/// warm-up. Throws what a client throws that is no part of a load.
load_result run_load(strategy& by, workload& requests, const load_options& options,
                     const std::atomic<bool>& stop, const measured_processes& processes,
                     const std::function<void()>& measuring);

} // namespace roost::contention
