#pragma once

#include "simulation/history_process.hpp"

#include <functional>
#include <string>

namespace roost::testing {

/// The options of a failing history, and its failures.
struct failed_history {
  simulation_options options;
  history_result result;
};

/// Returns a smaller history that fails in the same way: with fewer servers, clients and kinds of faults, and
/// less time. Other options lead to another history, so each step tries a few seeds. `run` runs a history; it
/// is called a limited number of times.
failed_history shrink(failed_history failed,
                      const std::function<history_result(const simulation_options&)>& run);

/// Returns the script/simulate command that repeats a history.
std::string command_of(const simulation_options& options);

} // namespace roost::testing
