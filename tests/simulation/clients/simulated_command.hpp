#pragma once

#include "simulation/history.hpp"

#include <functional>

namespace roost::testing {

/// How often a command is killed at a pause, in a hundred.
inline constexpr unsigned kill_percent = 3;

enum class command_outcome {
  done,
  failed, ///< it threw an exception; its last commit may have an unknown outcome
  killed, ///< while it waited, or after a commit
};

/// Runs a command of the program in the simulation's process. The history goes on whenever the command waits,
/// and after each of its commits; there it may be killed, with this chance in a hundred. Other commands
/// may run and end during a wait.
command_outcome run_command(history& in, unsigned kill_percent, const std::function<void()>& command);

/// Whether the caller is called by such a command, and not while the history goes on.
bool is_command_running();

} // namespace roost::testing
