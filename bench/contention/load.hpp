#pragma once

#include "histogram.hpp"
#include "strategy.hpp"

#include <atomic>
#include <functional>
#include <sys/types.h>

namespace roost::contention {

struct load_options {
  unsigned clients = 64;
  double rate = 0; ///< arrivals a second in an open loop; 0: a closed loop, in which each client asks again at once
  std::chrono::milliseconds warm_up{1000}; ///< judged, but in no figure
  std::chrono::milliseconds duration{5000};
  std::uint64_t most = 0; ///< requests in all; 0: no bound
  pid_t database = 0;     ///< of the processor time; 0: no process of its own
};

/// Processor time, in seconds.
struct processor_time {
  double clients = 0;  ///< the clients' threads: of a peer, which decides there itself, the whole application
  double server = 0;   ///< the process's other threads: the actors and their storage
  double database = 0; ///< the database's processes
};

struct counts {
  std::uint64_t conflicts = 0, deadlocks = 0, retries = 0, errors = 0;
};

struct load_result {
  history operations;
  clock::time_point started{};
  double measured = 0; ///< seconds after the warm-up until the last measured decision was due
  bool cut_short = false; ///< the requests or a calendar ran out, or somebody stopped it
  counts all;
  processor_time used; ///< in the measured time
};

/// Runs the clients until the end of the duration, or until `stop` says so. `started` is called when the
/// measuring begins. Throws what a client throws that is no part of a load.
load_result run_load(strategy& by, workload& requests, const load_options& options,
                     const std::atomic<bool>& stop, const std::function<void()>& started);

} // namespace roost::contention
