#pragma once

#include "actors/inventory/replication_position.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "store/office/events.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace roost::actors {

/// Waits for events of a scope.
struct await_events {
  store::office_scope scope;
  store::stream_point after; ///< part of the store's history
  /// replication_position::generation() when `after` was found to be.
  std::uint64_t generation = 0;
};

/// An event with the ids that the scope contains.
struct shown_event {
  std::int64_t position = 0;
  store::change_kind kind = store::change_kind::account;
  std::vector<domain::uuid> ids;
};

struct awaited_events {
  std::vector<shown_event> events; ///< by position; may be empty
  store::stream_point end;         ///< all events up to this point are known
  bool is_gap = false;             ///< events before `end` may be missing: the client has to read everything
  std::uint64_t generation = 0;
};

/// Reads what memory has reached since.
struct read_events {};

/// Fails all waits, and later ones.
struct end_events {};

/// Distributes the change stream to the office's event streams: reads it once, whatever their number, and
/// only while there are any. An event is passed on once memory holds its change, so later reads show it.
using office_events = caf::typed_actor<caf::reacts_to<read_events>, caf::reacts_to<end_events>,
                                       /// Responds when there are events, or after some seconds without one.
                                       /// Responds with storage_error while this server is not the writer.
                                       caf::replies_to<await_events>::with<awaited_events>>;

struct office_events_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<const replication_position> followed; ///< the follower's
  std::chrono::milliseconds interval{100};              ///< of looking for changes
  std::chrono::milliseconds max_wait{4'000}; ///< without an event; shorter than the asks' time limit
  std::size_t max_kept = 10'000;             ///< events
};

office_events spawn_office_events(runtime& rt, office_events_setup setup);

/// Returns whether events can be awaited from a point that a client names: it is part of the store's history,
/// and not too long ago. Throws ask_error.
asio::awaitable<bool> is_event_point(storage_lane lane, store::stream_point point);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::await_events)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::awaited_events)
