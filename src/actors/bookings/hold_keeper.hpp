#pragma once

#include "actors/office/office_writer.hpp"
#include "actors/runtime/clock.hpp"
#include "metrics/registry.hpp"
#include "store/stays/holds.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace roost::actors {

/// Looks for holds that have expired.
struct look_for_expired_holds {};

/// Places, releases and ends holds of nights. Responds once a hold is durable and reads show its nights as
/// taken, or as free again; with storage_error, it may have been placed or released, and a repeated request
/// is safe. Ends expired holds by itself, as long as this server has the lease.
///
/// The holds of a unit are placed one after the other: the booking queue waits for a placement that has
/// begun, and must not wait for many. While no holds are left, it looks for them only once an hour, to delete
/// old rows.
using hold_keeper = caf::typed_actor< /// Passes the message to the follower.
    caf::replies_to<show_change>::with<change_shown>, caf::replies_to<place_hold>::with<store::hold_receipt>,
    caf::replies_to<release_hold>::with<store::release_outcome>, caf::reacts_to<look_for_expired_holds>>;

struct hold_keeper_setup {
  office_writer writer;
  storage_actor reading; ///< looks for expired holds, so that looks do not wait for writes of the office
  change_follower follower;
  std::shared_ptr<const held_lease> lease;
  wall_clock now;
  metrics::registry* registry = nullptr;
  time_check is_time_trusted = actors::is_time_trusted; ///< else no old rows are deleted
  bool on_hold = false;                                 ///< then nothing ends by itself
  std::chrono::milliseconds interval{250}; ///< between two looks: holds end within a second of their expiry
};

/// Holds expire by the server's clock, whether its time is trusted or not: a hold lasts at most 30 minutes,
/// and one that does not end would keep a unit from being sold until an operator has noticed.
hold_keeper spawn_hold_keeper(runtime& rt, hold_keeper_setup setup);

/// A stored hold, which may have ended, and a position at which reads show its state.
struct positioned_hold {
  std::optional<store::hold_record> hold; ///< nullopt: the platform has placed none with the ID
  store::stream_point point;
};

/// Throws ask_error.
asio::awaitable<positioned_hold> find_hold(storage_lane lane, std::string platform, std::string id);

} // namespace roost::actors
