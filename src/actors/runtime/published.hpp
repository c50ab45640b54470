#pragma once

#include <memory>
#include <mutex>

namespace roost::actors {

/// An immutable value that one actor replaces now and then and any thread reads without a message. The lock
/// is held for the copy of a pointer only (std::atomic<std::shared_ptr> would take a spin lock at the same
/// place, and the thread sanitizer cannot see through the packaged one).
template <typename T>
class published {
public:
  std::shared_ptr<const T> get() const {
    std::lock_guard lock{mutex_};
    return value_;
  }

  void set(std::shared_ptr<const T> value) {
    {
      std::lock_guard lock{mutex_};
      value_.swap(value);
    }
    // The old value dies here, outside the lock.
  }

private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

} // namespace roost::actors
