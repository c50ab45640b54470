#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace roost::actors {

/// A run of an actor that takes or took long, or with an empty actor something else that a thread does.
struct slow_run {
  std::string_view actor, thread;
  const std::type_info* message = nullptr; ///< null: one of CAF's own types
  std::chrono::nanoseconds took{};
};

/// The warning `actor_run_slow` or `thread_stalled`, at most ten in ten seconds of one type; the next one
/// tells how many were left out. `stack` is that of the thread, the innermost function first; empty when it
/// was over, or did not take a signal.
void tell_of_slow_run(const slow_run& seen, const std::vector<void*>& stack);

/// The event `actor_run_over`: how long a run took in the end that was told of.
void tell_of_end(const slow_run& seen);

/// `roost::actors::reserve`, or `another` for null.
std::string message_name(const std::type_info* type);

} // namespace roost::actors
