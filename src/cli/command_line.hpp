#pragma once

namespace roost::cli {

/// Parses the arguments and runs the command. Prints errors on stderr, one line each. Returns the exit
/// status: 0, 1 for a failure, 2 for wrong usage.
int run(int argc, char** argv);

} // namespace roost::cli
