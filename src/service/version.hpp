#pragma once

#include <string_view>

namespace roost {

/// As `0.1.0`.
std::string_view program_version();

/// How it was built: `Release`, `Debug`.
std::string_view program_build();

} // namespace roost
