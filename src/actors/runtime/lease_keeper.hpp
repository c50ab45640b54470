#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace roost::actors {

struct lease_settings {
  std::string store_url;
  std::string node;
  std::chrono::milliseconds duration = store::lease_length; ///< on the database's clock
  std::chrono::milliseconds renewal{3'000};
  std::chrono::milliseconds retry{100}; ///< between attempts to take it or to reach the store
  wall_clock now = system_now;
  std::function<store::machine_time()> machine_time = store::read_machine_time;
  /// Called once the schema is current, and again when the store may have been replaced. Throws
  /// store::other_signing_keys if this server must not serve the store.
  std::function<void(store::session&)> admit = [](store::session&) {};
  /// A keeper that inspects changes nothing in a store that records a serving server.
  store::lease_use use = store::lease_use::serve;
};

/// The store's last known state, for readiness.
struct store_health {
  std::atomic<bool> reachable{false}, schema_current{false};
  std::atomic<bool> has_other_keys{false};     ///< its tokens were signed with keys other than this server's
  std::atomic<bool> is_unfinished_copy{false}; ///< no server may serve it
  std::atomic<bool> is_live_store{false};      ///< this server inspects, and the store has a serving server
  published<std::string> moved_to;             ///< the store that replaces it; null: it was not moved
  published<std::string> writer;               ///< another holder of the lease; null: none
  /// By how much the process's clock is ahead of the database's.
  std::atomic<std::chrono::milliseconds> clock_ahead{};
  /// The comparison with the store's trusted time, while the process's clock does not agree with it.
  published<store::time_comparison> untrusted_time;
};

/// Takes or renews the lease now.
struct renew_lease {};

/// The keeper's own reminder.
struct check_lease {};

/// Releases the lease, so that the next server need not wait for its expiry.
struct release_lease {};

/// Takes the writer lease, renews it, and publishes it as the held_lease. Stands by again if another server
/// has taken the lease, or if the store has a different history. Runs on its own thread with its own session,
/// so that nothing can delay a renewal. The lease may only be used while the keeper also has the holder_lock.
using lease_keeper =
    caf::typed_actor<caf::reacts_to<renew_lease>, caf::reacts_to<check_lease>, caf::reacts_to<release_lease>>;

/// `acquired` is called on the keeper's thread whenever it has taken the lease.
lease_keeper spawn_lease_keeper(
    runtime& rt, lease_settings settings, std::shared_ptr<held_lease> lease,
    std::shared_ptr<store_health> health, std::function<void()> acquired = [] {});

} // namespace roost::actors
