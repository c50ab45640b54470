#pragma once

#include "actors/inventory/read_model_loader.hpp"

#include <cstdint>
#include <memory>

namespace roost::actors {

/// Polls the change stream. The first message starts the polling, which then continues by itself.
struct poll_changes {};

/// Ends the calendar and account actors.
struct end_calendars {};

/// A change committed by this process that memory already holds, so the follower need not read it.
struct own_change {
  store::stream_point point;
  /// replication_position::generation() of that memory: one that was loaded later may not hold the change.
  std::uint64_t generation = 0;
};

/// A change committed by this process that memory does not hold yet.
struct show_change {
  store::stream_point point;
  std::shared_ptr<const store::edited_unit> edit; ///< the change; null: read it from the store
};

/// All later reads show the change.
struct change_shown {};

/// Reads an account again, because memory lacks some of its bookings.
struct reload_account {
  domain::uuid account_id{};
};

/// Keeps memory in step with the store: loads everything at the start, follows the change stream from there,
/// on the writer and on standbys, and publishes the directory. If the store's history is no longer the one
/// that it has followed, drops everything and loads again. Runs on its own thread with its own session.
using change_follower =
    caf::typed_actor<caf::reacts_to<poll_changes>, caf::reacts_to<end_calendars>, caf::reacts_to<own_change>,
                     caf::reacts_to<reload_account>,
                     /// Applies the change immediately. Responds with storage_error while this server is not
                     /// the writer. Does not respond while the store does not, so callers need a timeout.
                     caf::replies_to<show_change>::with<change_shown>>;

change_follower spawn_change_follower(runtime& rt, follower_setup setup);

} // namespace roost::actors
