#pragma once

#include <string>
#include <vector>

namespace roost::stacks {

/// The names of the functions at these addresses, inlined ones included where the build has debug
/// information, with file and line then; at most 24, each shortened. Reads the program's own file: slow, and
/// not for a signal handler.
std::vector<std::string> names_of(const std::vector<void*>& addresses);

/// A mangled name as it is written in the source.
std::string readable_name(const char* mangled);

} // namespace roost::stacks
