#pragma once

#include "domain/credential_use.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace roost::security {

/// When one credential was used last, to the minute. Any thread may note it: only the first use in a minute
/// writes.
class last_use {
public:
  using minutes = std::chrono::minutes;

  void note(std::chrono::system_clock::time_point now) {
    const auto minute = std::chrono::floor<minutes>(now).time_since_epoch().count();
    if (minute_.load(std::memory_order_relaxed) < minute) minute_.store(minute, std::memory_order_relaxed);
  }

  /// Whole minutes since 1970; 0: it was not used.
  std::int64_t minute() const { return minute_.load(std::memory_order_relaxed); }

private:
  std::atomic<std::int64_t> minute_{0};
};

/// The last uses of all credentials that count. For every thread.
class last_uses {
public:
  /// The same object for the same credential as long as somebody holds it, or its last use is not taken.
  std::shared_ptr<last_use> of(const domain::uuid& credential);

  /// Those that were used since they were taken last.
  std::vector<domain::credential_use> take();

private:
  struct noted {
    std::shared_ptr<last_use> use = std::make_shared<last_use>();
    std::int64_t taken = 0; ///< minutes
  };

  std::mutex mutex_;
  std::unordered_map<domain::uuid, noted, domain::uuid_hash> all_;
};

} // namespace roost::security
