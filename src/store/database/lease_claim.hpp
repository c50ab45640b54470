#pragma once

#include "store/database/holder_lock.hpp"
#include "store/database/lease.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace roost::store {

/// How one server takes the lease and keeps it, with its holder_lock. Whoever has the lock that the holder
/// noted takes the lease at once; anybody else waits for the lease's end.
class lease_claim {
public:
  using clock = std::chrono::steady_clock;
  /// `unlocked`: the lock was lost and another process has it; the lease was not renewed.
  enum class renewal { renewed, unlocked, lost };

  lease_claim(const std::string& url, std::string node, std::chrono::milliseconds duration,
              lease_use use = lease_use::serve)
      : lock_(url), node_(std::move(node)), duration_(duration), use_(use) {}

  /// Looks first, so that it can be asked often.
  std::optional<taken_lease> try_take(session& db);
  renewal renew(session& db, const lease& held);
  /// Frees the lock and then the lease: whoever finds the lease free gets the lock, too.
  void release(session& db, const lease& held);

  /// Whether the holder has to renew before its time, for its lock was lost or can be had now.
  bool should_renew_now();
  /// What the use of the lease rests on; null: it was taken without the lock.
  std::shared_ptr<const lock_certainty> certainty() const { return lock_.certainty(); }

private:
  std::optional<taken_lease> take(session& db, std::optional<std::int64_t> gone);
  bool is_gone(const lease_state& other);
  bool has_outlasted_its_length(const lease_state& other);
  void take_lock();

  holder_lock lock_;
  const std::string node_;
  const std::chrono::milliseconds duration_;
  const lease_use use_;
  clock::time_point locked_since_{};
  bool needs_lock_ = false; ///< the lease was used with it
  std::optional<lease_state> unbelievable_;
  clock::time_point unbelievable_since_{};
};

} // namespace roost::store
