#pragma once

#include "domain/date.hpp"

#include <functional>

namespace roost::actors {

/// The current time, given to whoever needs it: tests set their own.
using wall_clock = std::function<domain::timestamp()>;

/// How far the process's clock may be from the database's. Beyond it one of them is wrong.
inline constexpr std::chrono::minutes clock_tolerance{1};

inline domain::timestamp system_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

} // namespace roost::actors
