#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/storage.hpp"
#include "domain/ai_usage.hpp"
#include "metrics/registry.hpp"

#include <caf/typed_actor.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace roost::actors {

/// Checked records for the ledger, each with its id.
struct record_usage {
  std::vector<domain::ai_usage_record> records;
};

/// How many of the records, from the first on, the recorder has room for.
struct usage_taken {
  std::size_t count = 0;
};

/// Time to try again.
struct retry_usage {};

/// Asks for all that was taken to be written now, before the end; what cannot be is lost.
struct flush_usage {};
struct usage_flushed {};

/// Adds to the AI usage ledger, as best it can (Management API, Adding records): whoever sends records
/// is told at once how many were taken, before they are on disk, and never waits for the store. What arrives
/// during a commit goes into the next one together. While the store is away, up to a limit is kept; beyond
/// it, and at a crash, records are lost. A record that was added already is skipped.
using usage_recorder =
    caf::typed_actor<caf::replies_to<record_usage>::with<usage_taken>, //
                     caf::reacts_to<retry_usage>, caf::replies_to<flush_usage>::with<usage_flushed>>;

struct usage_recorder_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  metrics::registry* registry = nullptr;
  std::size_t max_waiting = 20'000; ///< records
};

usage_recorder spawn_usage_recorder(runtime& rt, usage_recorder_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::record_usage)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::usage_taken)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::retry_usage)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::flush_usage)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::usage_flushed)
