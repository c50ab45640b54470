#pragma once

#include <cstdint>

namespace roost::testing {

/// A port of 127.0.0.1 below the range that the kernel hands out to clients, and free now.
std::uint16_t free_port();

} // namespace roost::testing
