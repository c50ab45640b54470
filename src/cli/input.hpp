#pragma once

#include <string>

namespace roost::cli {

/// Reads a whole file or pipe. Throws usage_error if it cannot be read.
std::string read_file(const std::string& name);

/// Reads a line from standard input. On a terminal it shows `prompt` and hides the typed characters.
std::string read_hidden_line(const char* prompt);

} // namespace roost::cli
