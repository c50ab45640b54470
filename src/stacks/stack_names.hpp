#pragma once

#include <string>
#include <vector>

namespace roost::stacks {

/// Returns the names of the functions at these addresses: at most 24, each truncated. If the build has debug
/// information, they include inlined functions, files and lines. Slow, as it reads the program's own file;
/// not for signal handlers.
std::vector<std::string> names_of(const std::vector<void*>& addresses);

/// Demangles a name; returns it unchanged if it is not a mangled one.
std::string readable_name(const char* mangled);

} // namespace roost::stacks
