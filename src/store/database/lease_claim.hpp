#pragma once

#include "store/database/boot_clock.hpp"
#include "store/database/holder_lock.hpp"
#include "store/database/lease.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace roost::store {

/// Acquires and keeps the lease of one server, with its holder_lock. A server that gets the lock named in the
/// lease acquires the lease immediately; without it, a server waits until the lease expires.
class lease_claim {
public:
  using clock = boot_clock;
  /// `unlocked`: the lock was lost to another process, so the lease was not renewed.
  enum class renewal { renewed, unlocked, lost };

  lease_claim(const std::string& url, std::string node, std::chrono::milliseconds duration,
              lease_use use = lease_use::serve)
      : lock_(url), node_(std::move(node)), duration_(duration), use_(use) {}

  /// Reads the lease before trying to acquire it, which makes frequent calls cheap.
  std::optional<taken_lease> try_take(session& db);
  /// Returns whether the claim is for inspecting and the store was ever seen to record a serving server: such
  /// a claim never takes the lease, not even while that server restarts.
  bool is_barred(session& db);
  renewal renew(session& db, const lease& held);
  /// Releases the lock before the lease, so that the next holder of the lease also gets the lock.
  void release(session& db, const lease& held);

  /// Returns whether the lease must be renewed early because the lock was lost or has become available.
  bool should_renew_now();
  /// Returns whether a connection pooler prevents the use of the lock (holder_lock).
  bool is_pooled() const { return lock_.is_pooled(); }
  /// Returns the certainty that the use of the lease depends on; null if it was acquired without the lock.
  std::shared_ptr<const lock_certainty> certainty() const { return lock_.certainty(); }

private:
  std::optional<taken_lease> take(session& db, std::optional<std::int64_t> dead_epoch);
  bool is_gone(const lease_state& other);
  bool has_outlived_its_length(const lease_state& other);
  void take_lock();

  holder_lock lock_;
  const std::string node_;
  const std::chrono::milliseconds duration_;
  const lease_use use_;
  clock::time_point locked_since_{};
  bool is_barred_ = false;
  bool needs_lock_ = false;                ///< whether the lease was used with the lock
  std::optional<lease_state> implausible_; ///< another node's lease that expires implausibly late
  clock::time_point implausible_since_{};
};

} // namespace roost::store
