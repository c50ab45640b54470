#pragma once

#include <pthread.h>
#include <string>
#include <vector>

namespace roost::stacks {

/// Installs a handler for SIGURG, which is ignored by default and interrupts nothing important. Call it once,
/// before the first stack_of().
void prepare();

/// Returns the return addresses on another thread's stack, innermost first, taken by a signal to that thread.
/// Empty if the thread does not handle the signal within 50 ms. The thread must not end in the meantime.
std::vector<void*> stack_of(pthread_t thread);

/// Returns the names of the functions at these addresses: at most 24, each truncated. If the build has debug
/// information, they include inlined functions, files and lines. Slow, as it reads the program's own file;
/// not for signal handlers.
std::vector<std::string> names_of(const std::vector<void*>& addresses);

/// Demangles a name; returns it unchanged if it is not a mangled one.
std::string readable_name(const char* mangled);

} // namespace roost::stacks
