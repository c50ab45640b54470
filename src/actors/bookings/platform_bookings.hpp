#pragma once

#include "actors/inventory/change_follower.hpp"
#include "actors/inventory/unit_calendar.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/storage.hpp"
#include "store/bookings/bookings.hpp"
#include "store/bookings/decisions.hpp"
#include "store/bookings/stay_changes.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace roost::actors {

struct cancel_platform_booking {
  store::platform_reference booking;
  domain::uuid unit_id{};
  unit_calendar calendar; ///< the unit's
  actors::deadline deadline;
  std::shared_ptr<unit_changes> changes = nullptr; ///< the unit's, notified when its nights are free
  std::string by = {};                             ///< the caller's credential
  std::string action = "webhook cancel";           ///< for the audit log
};

struct platform_booking_cancelled {
  bool done = false; ///< false: there was no active booking
};

/// Triggers the lookup of a cancellation whose commit is in doubt.
struct look_up_cancel {
  std::uint64_t number = 0;
};

/// Cancels bookings of marketplaces (Partner API, Inbound webhooks). Requests that arrive during a commit
/// share the next one. Responds after the commit, which frees the nights in the store; the calendar follows.
/// Responds with storage_error if the store could not cancel.
using platform_bookings =
    caf::typed_actor<caf::replies_to<cancel_platform_booking>::with<platform_booking_cancelled>,
                     caf::reacts_to<look_up_cancel>>;

struct platform_bookings_setup {
  storage_actor reading, writing;
  std::shared_ptr<const held_lease> lease;
  std::shared_ptr<const replication_position> followed; ///< the follower's
  change_follower follower;                             ///< receives each cancellation's position
  wall_clock now;
  std::function<domain::uuid()> new_id;
};

platform_bookings spawn_platform_bookings(runtime& rt, platform_bookings_setup setup);

/// Withdraws a platform's pending requests with a reference. `decisions` is the lane of the queue's
/// decisions, so that none is written meanwhile; if an operator's command decides one, nothing is withdrawn.
/// Returns the position at which reads show nights as free that the requests had taken over from holds;
/// nullopt if there were none. Throws ask_error.
asio::awaitable<std::optional<store::stream_point>> withdraw_requests(leased_lane decisions,
                                                                      store::withdrawal by);

// Changes of stays. They throw ask_error.

/// Stores a change, which the queue decides. `decisions` is the lane of the queue's decisions, so that none
/// about the booking is written meanwhile.
asio::awaitable<store::stay_change_receipt> put_stay_change(leased_lane decisions, store::stay_change change,
                                                            domain::date today);

/// A change, and a position after which await_outcomes misses no change of the booking.
struct positioned_stay_change {
  std::int64_t position = 0;
  std::optional<store::stay_change_record> change; ///< nullopt: none was requested with the ID
};

asio::awaitable<positioned_stay_change> find_stay_change(storage_lane lane, std::string platform,
                                                         std::string reference, std::string id);

/// Returns the status of a platform's booking; nullopt if not booked, or not yet. Throws ask_error.
asio::awaitable<std::optional<domain::booking_status>>
find_platform_booking(storage_lane lane, store::platform_reference booking);

} // namespace roost::actors
