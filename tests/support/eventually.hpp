#pragma once

#include <chrono>
#include <thread>

namespace roost::testing {

/// Polls the condition every 5 ms until it is true. Returns false on timeout.
template <typename Condition>
bool eventually(Condition condition, std::chrono::milliseconds timeout = std::chrono::seconds{30}) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return true;
}

} // namespace roost::testing
