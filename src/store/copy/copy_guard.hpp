#pragma once

#include "store/database/lease.hpp"
#include "store/database/lease_claim.hpp"
#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>
#include <thread>

/// Guards the stores of a copy against changes: a lease keeps servers out, counters detect commands.
namespace roost::store {

/// A store's lease and lock, held for a whole copy so that no server starts during it. A thread with its own
/// session renews it.
class copy_lease {
public:
  /// `store_name` is for error messages. Throws copy_refused if another process holds the lease.
  copy_lease(const std::string& url, const std::string& node, const std::string& store_name);
  /// Releases the lease.
  ~copy_lease();
  copy_lease(const copy_lease&) = delete;
  copy_lease& operator=(const copy_lease&) = delete;

  const lease& held() const { return held_; }

  /// Throws lease_lost if another process has taken it.
  void check() const;

private:
  void acquire(const std::string& store_name);
  void keep_renewing(const std::stop_token& stop);

  session db_;
  lease_claim claim_;
  lease held_;
  std::atomic<bool> is_lost_{false};
  std::jthread renewal_thread_;
};

/// Counters that every command that changes a store increments. Commands need no lease, so a copy can only
/// detect their changes afterwards.
struct change_counters {
  stream_point newest;
  std::int64_t audit_entries = 0; ///< counts changes that take no position in the stream

  friend bool operator==(const change_counters&, const change_counters&) = default;
};

change_counters read_change_counters(session& db);

/// Marks the source as moved to `target`, a name without a password, in a transaction of its own. Returns
/// false, and writes nothing, if the source's counters are not the expected ones.
bool mark_as_moved(session& source, const lease& held, const change_counters& expected,
                   const std::string& target);

} // namespace roost::store
