#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "domain/account.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace roost::actors {

/// Writes the recorded uses.
struct keep_uses {};

/// Writes the recorded uses now, before shutdown; uses that cannot be written are dropped.
struct flush_uses {};
struct uses_flushed {};

/// Periodically writes the last use of each credential. No caller waits for it: a crash, or a store that is
/// unavailable until shutdown, loses the last uses of a few minutes.
using use_keeper =
    caf::typed_actor<caf::reacts_to<keep_uses>, caf::replies_to<flush_uses>::with<uses_flushed>>;

struct use_keeper_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  /// Returns the uses recorded since the last call. Thread-safe.
  std::function<std::vector<domain::credential_use>()> take;
  std::chrono::milliseconds interval = std::chrono::minutes{1};
};

use_keeper spawn_use_keeper(runtime& rt, use_keeper_setup setup);

} // namespace roost::actors
