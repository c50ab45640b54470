#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "domain/credential_use.hpp"

#include <caf/typed_actor.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace roost::actors {

/// Time to write.
struct keep_uses {};

/// Asks for what was noted to be written now, before the end; what cannot be is left out.
struct flush_uses {};
struct uses_flushed {};

/// Writes now and then when credentials were used last. Nobody waits for it: what a crash takes, or a store
/// that is away until the end, is the last uses of some minutes.
using use_keeper =
    caf::typed_actor<caf::reacts_to<keep_uses>, caf::replies_to<flush_uses>::with<uses_flushed>>;

struct use_keeper_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  /// Those that were noted since it was called last; for any thread.
  std::function<std::vector<domain::credential_use>()> take;
  std::chrono::milliseconds interval = std::chrono::minutes{1};
};

use_keeper spawn_use_keeper(runtime& rt, use_keeper_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::keep_uses)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::flush_uses)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::uses_flushed)
