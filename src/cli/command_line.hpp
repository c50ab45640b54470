#pragma once

#include <stdexcept>

namespace roost::cli {

/// The command was called in a way that cannot work: exit status 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs the program: reads the arguments, runs the command, tells what went wrong in one line on stderr.
/// Answers the exit status: 0, 1 for a failure, 2 for wrong usage.
int run(int argc, char** argv);

} // namespace roost::cli
