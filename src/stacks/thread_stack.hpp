#pragma once

#include <pthread.h>
#include <vector>

namespace roost::stacks {

/// Installs a handler for SIGURG, which is ignored by default and interrupts nothing important. Call it once,
/// before the first stack_of().
void prepare();

/// Returns the return addresses on another thread's stack, innermost first, taken by a signal to that thread.
/// Empty if the thread does not handle the signal within 50 ms. The thread must not end in the meantime.
std::vector<void*> stack_of(pthread_t thread);

} // namespace roost::stacks
