#pragma once

#include <sys/types.h>

namespace roost::contention {

/// Seconds of processor time that this process has used in all its threads.
double time_of_process();

/// Of this thread.
double time_of_thread();

/// Of a process, its children now and those that it has waited for. To a hundredth of a second.
double time_of_tree(pid_t root);

} // namespace roost::contention
