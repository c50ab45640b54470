#pragma once

#include <pthread.h>
#include <vector>

namespace roost::stacks {

/// Gets ready to take stacks: handles SIGURG, which is ignored otherwise and interrupts nothing that matters.
/// Once, before the first stack_of().
void prepare();

/// The addresses that the functions of another thread return to, the innermost first, taken on that thread by
/// a signal. Empty when it does not get to it within 50 ms. The thread must not end meanwhile.
std::vector<void*> stack_of(pthread_t thread);

} // namespace roost::stacks
