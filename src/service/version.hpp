#pragma once

#include <string_view>

namespace roost {

/// Returns the version, such as `0.1.0`.
std::string_view program_version();

/// Returns the build type: `Release` or `Debug`.
std::string_view program_build();

} // namespace roost
