#pragma once

#include "store/database/lease.hpp"
#include "store/database/lease_claim.hpp"
#include "store/database/session.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace roost::store {

/// A store's lease with its lock, held for a copy from beginning to end, so that no server starts in between.
/// A thread with a session of its own renews it.
class kept_lease {
public:
  /// `what` names the store in messages. Throws copy_refused when somebody else holds the lease.
  kept_lease(const std::string& url, const std::string& node, const std::string& what);
  /// Gives it back.
  ~kept_lease();
  kept_lease(const kept_lease&) = delete;
  kept_lease& operator=(const kept_lease&) = delete;

  const lease& held() const { return held_; }

  /// Throws lease_lost when somebody else has taken it.
  void check() const;

private:
  void take(const std::string& what);
  void keep();

  session db_;
  lease_claim claim_;
  lease held_;
  std::atomic<bool> is_lost_{false};
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread keeper_;
};

} // namespace roost::store
