#pragma once

#include "simulation/history_process.hpp"

#include <functional>
#include <string>

namespace roost::testing {

/// A history that fails, and how.
struct failed_history {
  simulation_options options;
  history_result result;
};

/// Makes a failing history smaller: fewer servers, clients and kinds of faults, and less time, as long as a
/// history of that kind still fails in the same way. Other options mean another history, so for each step a
/// few seeds are tried. `run` lets a history happen; it is called a limited number of times.
failed_history shrink(failed_history failed,
                      const std::function<history_result(const simulation_options&)>& run);

/// Returns the options of script/simulate that repeat a history.
std::string command_of(const simulation_options& options);

} // namespace roost::testing
