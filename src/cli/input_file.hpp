#pragma once

#include <string>

namespace roost::cli {

/// The whole content of a file or a pipe. Throws usage_error when it cannot be read.
std::string read_file(const std::string& name);

} // namespace roost::cli
