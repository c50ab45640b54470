#pragma once

#include <cstddef>
#include <cstdint>

namespace roost::bytes {

/// Asks the processor to load memory into its cache before it is read.
inline void prefetch(const void* address, std::size_t bytes) {
  constexpr std::uintptr_t line = 64;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  for (auto at = begin / line * line; at < begin + bytes; at += line)
    // A cache line may start before the object, where pointer arithmetic is not allowed.
    __builtin_prefetch(reinterpret_cast<const void*>(at)); // NOLINT(performance-no-int-to-ptr)
  asm volatile(""); // GCC removes calls of functions that only prefetch, because it sees no side effect
}

} // namespace roost::bytes
