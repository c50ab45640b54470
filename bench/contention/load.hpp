#pragma once

#include "strategy.hpp"

#include <functional>
#include <sys/types.h>

namespace roost::contention {

/// Processor time, in seconds.
struct processor_time {
  double clients = 0;  ///< of a peer, whose clients decide themselves, the whole application
  double server = 0;   ///< the rest of this process: the actors and their storage
  double database = 0; ///< the database's processes
};

struct load_result {
  history operations;
  clock::time_point started{};
  bool cut_short = false; ///< the requests or a calendar ran out, or somebody stopped it
  counts all;
  processor_time used; ///< after the warm-up
};

/// Runs the clients until the end of the duration, or until `stop` says so. `measuring` is called after the
/// warm-up. `database` is the process whose and whose children's time counts as the database's; 0: none.
/// Throws what a client throws that is no part of a load.
load_result run_load(strategy& by, workload& requests, const load_options& options,
                     const std::atomic<bool>& stop, pid_t database, const std::function<void()>& measuring);

} // namespace roost::contention
