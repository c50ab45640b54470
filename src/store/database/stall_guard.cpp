#include "store/database/stall_guard.hpp"

#include <condition_variable>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <stop_token>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace roost::store {

/// A single thread that polls the deadlines of all connections while there are any.
class stall_guard::watchdog {
public:
  static watchdog& instance() {
    static watchdog the_watchdog;
    return the_watchdog;
  }

  void add(stall_guard& guard) {
    const std::lock_guard lock{mutex_};
    guards_.insert(&guard);
    if (!thread_.joinable()) thread_ = std::jthread{[this](const std::stop_token& stop) { watch(stop); }};
    changed_.notify_one();
  }

  void remove(stall_guard& guard) {
    const std::lock_guard lock{mutex_};
    guards_.erase(&guard);
  }

private:
  static constexpr std::chrono::milliseconds poll_interval{250};

  void watch(const std::stop_token& stop) {
    std::unique_lock lock{mutex_};
    while (!stop.stop_requested()) {
      changed_.wait(lock, stop, [this] { return !guards_.empty(); });
      const auto now = clock::now();
      for (const auto* guard : guards_)
        if (guard->deadline_.load(std::memory_order_relaxed) <= now) ::shutdown(guard->socket_, SHUT_RDWR);
      changed_.wait_for(lock, stop, poll_interval, [] { return false; });
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::set<stall_guard*> guards_;
  std::jthread thread_; ///< stops first
};

stall_guard::stall_guard(int socket) : socket_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)) {
  watchdog::instance().add(*this);
}

stall_guard::~stall_guard() {
  watchdog::instance().remove(*this);
  if (socket_ >= 0) ::close(socket_);
}

} // namespace roost::store
