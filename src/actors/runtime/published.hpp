#pragma once

#include <memory>
#include <mutex>

namespace roost::actors {

/// An immutable value that one actor replaces occasionally, and that any thread reads without a message. The
/// lock is only held while a pointer is copied. (std::atomic<std::shared_ptr> would use a spin lock, and the
/// thread sanitizer does not understand the packaged implementation.)
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
    // The old value is destroyed here, outside the lock.
  }

private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

} // namespace roost::actors
