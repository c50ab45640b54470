#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/runtime.hpp"

#include <caf/typed_actor.hpp>

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
  std::chrono::milliseconds retry{100}; ///< between two tries to take it or to reach the store
  wall_clock now = system_now;
  /// Called once the schema is current, and again when the store may be another one. Throws
  /// store::other_signing_keys when this server must not serve it.
  std::function<void(store::session&)> admit = [](store::session&) {};
};

/// How the store looked last; for readiness.
struct store_health {
  std::atomic<bool> reachable{false}, schema_current{false};
  std::atomic<bool> has_other_keys{false};     ///< its tokens were signed with other keys than this server's
  std::atomic<bool> is_unfinished_copy{false}; ///< nobody may serve it
  published<std::string> writer;               ///< who else holds the lease; null: nobody
  /// How far the process's clock is ahead of the database's.
  std::atomic<std::chrono::milliseconds> clock_ahead{};
};

/// Takes or renews it now.
struct keep_lease {};

/// What the keeper reminds itself with.
struct look_after_lease {};

/// Gives the lease back, so that the next server need not wait for it to run out.
struct release_lease {};

/// Takes the writer lease, keeps it and publishes it as the held_lease. When somebody else has taken it, or
/// the store has become another one, this server stands by again. On its own thread, with its own session:
/// nothing may hold a renewal up. The use of the lease rests on the holder_lock that
/// the keeper has beside it.
using lease_keeper = caf::typed_actor<caf::reacts_to<keep_lease>, caf::reacts_to<look_after_lease>,
                                      caf::reacts_to<release_lease>>;

/// `acquired` is called on the keeper's thread once it has the lease.
lease_keeper spawn_lease_keeper(
    runtime& rt, lease_settings settings, std::shared_ptr<held_lease> lease,
    std::shared_ptr<store_health> health, std::function<void()> acquired = [] {});

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::keep_lease)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::look_after_lease)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::release_lease)
