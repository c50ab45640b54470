#pragma once

#include <string>

namespace roost::cli {

/// A line of standard input. On a terminal it is asked for by `prompt` and not shown while it is typed.
std::string read_hidden_line(const char* prompt);

} // namespace roost::cli
