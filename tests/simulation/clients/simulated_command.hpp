#pragma once

#include "simulation/history.hpp"

#include <functional>

namespace roost::testing {

/// The percentage of pauses at which a command is killed.
inline constexpr unsigned kill_percent = 3;

enum class command_outcome {
  done,
  failed, ///< it threw an exception; the outcome of its last commit may be unknown
  killed, ///< while it waited, or after a commit
};

/// Runs a command of the program in the simulation's process. Whenever the command waits, and after each of
/// its commits, the history runs, and the command may be killed. Other commands may run and end during a
/// wait.
command_outcome run_command(history& in, unsigned kill_percent, const std::function<void()>& command);

/// Returns whether such a command has called the caller, rather than the history that runs during its waits.
bool is_command_running();

} // namespace roost::testing
