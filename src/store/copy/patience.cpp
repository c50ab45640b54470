#include "store/copy/patience.hpp"

#include "store/database/error.hpp"

#include <thread>

namespace roost::store {

namespace {

constexpr std::chrono::milliseconds pause_between_reads{200};

} // namespace

void read_patiently(std::chrono::milliseconds patience, const std::function<void()>& meanwhile,
                    const std::function<void()>& read) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  for (;;) {
    try {
      return read();
    } catch (const unavailable&) {
      if (std::chrono::steady_clock::now() >= give_up) throw;
    }
    meanwhile();
    std::this_thread::sleep_for(pause_between_reads);
  }
}

} // namespace roost::store
