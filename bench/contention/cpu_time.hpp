#pragma once

#include <sys/types.h>

namespace roost::contention {

/// Returns the processor time of this process, all threads, in seconds.
double process_cpu_seconds();

/// Returns the processor time of the calling thread in seconds.
double thread_cpu_seconds();

/// Returns the processor time of a process, its running children and those that it has waited for, in
/// seconds, rounded to hundredths.
double process_tree_cpu_seconds(pid_t root);

} // namespace roost::contention
