#pragma once

#include "actors/inventory/follower_setup.hpp"

#include <caf/typed_actor.hpp>

#include <cstdint>
#include <memory>

namespace roost::actors {

/// The first one begins it; then they follow by themselves.
struct look_for_changes {};

/// Ends the calendars and accounts.
struct end_calendars {};

/// This process has committed a change, and memory has it: the follower need not read it.
struct own_change {
  store::stream_point point;
  std::uint64_t memory =
      0; ///< which one (replication_position::memory()): what has been loaded since may not
};

/// This process has committed a change, and wants it to be seen.
struct show_change {
  store::stream_point point;
  std::shared_ptr<const store::edited_unit> edit; ///< what it was; null: to be read from the store
};

/// Reads that come from now on show the change.
struct change_shown {};

/// The store has shown that memory does not know all of an account's bookings.
struct read_account_again {
  domain::uuid account_id{};
};

/// Keeps what is in memory in step with the store: loads everything at its start, follows the stream of
/// changes from there, whether this server is the writer or stands by, and publishes the directory. When the
/// store's history is no longer the one that it has followed, it forgets everything and loads anew. On its
/// own thread, with its own session.
using change_follower =
    caf::typed_actor<caf::reacts_to<look_for_changes>, caf::reacts_to<end_calendars>,
                     caf::reacts_to<own_change>, caf::reacts_to<read_account_again>,
                     /// At once; responds with storage_error while this server is not the writer. No answer
                     /// while the store does not answer, so the asker limits its patience.
                     caf::replies_to<show_change>::with<change_shown>>;

change_follower spawn_change_follower(runtime& rt, follower_setup setup);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::look_for_changes)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::end_calendars)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::own_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::read_account_again)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::show_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::actors::change_shown)
