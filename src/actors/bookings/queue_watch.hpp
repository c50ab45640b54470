#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "metrics/registry.hpp"

#include <caf/typed_actor.hpp>

#include <memory>

namespace roost::actors {

struct count_requests {};

/// Counts the booking requests by state every two seconds, for the metrics. It is not the booking queue that
/// does, so that a queue which has stopped shows in what waits for it.
using queue_watch = caf::typed_actor<caf::reacts_to<count_requests>>;

queue_watch spawn_queue_watch(runtime& rt, storage_actor reading, std::shared_ptr<const held_lease> lease,
                              metrics::registry& registry);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::count_requests)
