#pragma once

#include "cli/context.hpp"

#include <CLI/CLI.hpp>

namespace roost::cli {

using command_function = int (*)(const arguments&);

/// Adds all commands. Parsing stores their parameters in `args`, and the command to run in `chosen`; both
/// must outlive it.
void add_commands(CLI::App& app, arguments& args, command_function& chosen);

} // namespace roost::cli
