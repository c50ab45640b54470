#pragma once

#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "store/bookings/outcomes.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace roost::actors {

/// Waits until the outcome of a reference, or of any of a platform's submissions, changes after this
/// position.
struct await_outcomes {
  std::string platform;
  std::string reference;                ///< empty: any
  std::int64_t after = 0;               ///< a position of store::outcomes_after()
  std::chrono::milliseconds max_wait{}; ///< at most that of the setup
};

struct outcomes_reached {
  std::int64_t position = 0; ///< the newest one, at most `after` if the wait has timed out
};

/// Reads the positions of all platforms.
struct read_outcome_positions {};

/// Fails all waits, and later ones.
struct end_outcome_waits {};

/// Wakes partners' requests when an outcome they are waiting for changes. It polls: one statement reads the
/// newest positions of all platforms, and only while requests wait. So decisions, cancellations by commands
/// and changes by the office need not know of this actor. Fails the waits once this server is no longer the
/// writer, because another one may have newer outcomes.
using outcome_watch =
    caf::typed_actor<caf::reacts_to<read_outcome_positions>, caf::reacts_to<end_outcome_waits>,
                     /// Responds with storage_error after end_outcome_waits, and without the lease.
                     caf::replies_to<await_outcomes>::with<outcomes_reached>>;

struct outcome_watch_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  std::chrono::milliseconds interval{20};    ///< between two reads
  std::chrono::milliseconds max_wait{4'000}; ///< shorter than the asks' time limit
};

outcome_watch spawn_outcome_watch(runtime& rt, outcome_watch_setup setup);

/// The outcome of a reference, and a position after which await_outcomes misses no change of it.
struct positioned_outcome {
  std::int64_t position = 0;
  std::optional<store::submission_outcome> outcome; ///< nullopt: nothing was submitted with the reference
};

/// Throws ask_error.
asio::awaitable<positioned_outcome> find_outcome(storage_lane lane, const std::string& platform,
                                                 const std::string& reference);

/// A place in the list of a platform's outcomes, valid on every server of the store.
struct outcome_cursor {
  std::int64_t position = 0; ///< 0: the beginning
  std::string mark;          ///< store::mark_of_outcome(); empty at the beginning
};

/// A page of outcomes and the place after it.
struct outcome_list {
  std::vector<store::submission_outcome> outcomes;
  outcome_cursor cursor;
  bool more = false;
};

/// Reads outcomes after a place; without one, returns an empty page at the newest place. nullopt if the place
/// is not one of this platform in this store. Throws ask_error.
asio::awaitable<std::optional<outcome_list>> read_outcomes(storage_lane lane, const std::string& platform,
                                                           std::optional<outcome_cursor> after,
                                                           std::size_t limit);

} // namespace roost::actors
