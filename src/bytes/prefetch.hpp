#pragma once

#include <cstddef>
#include <cstdint>

namespace roost::bytes {

/// Has the processor fetch memory that will be read soon, while it does something else.
inline void prefetch(const void* from, std::size_t bytes) {
  constexpr std::uintptr_t line = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  for (auto at = begin / line * line; at < begin + bytes; at += line)
    // A line's begin may lie before the object, where there is no pointer to count from.
    __builtin_prefetch(reinterpret_cast<const void*>(at)); // NOLINT(performance-no-int-to-ptr)
  asm volatile(""); // GCC drops calls of functions that only prefetch: it sees no effect
}

} // namespace roost::bytes
