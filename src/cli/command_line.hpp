#pragma once

namespace roost::cli {

/// Runs the program: reads the arguments, runs the command, tells what went wrong in one line on stderr.
/// Returns the exit status: 0, 1 for a failure, 2 for wrong usage.
int run(int argc, char** argv);

} // namespace roost::cli
