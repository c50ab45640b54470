#pragma once

#include "actors/inventory/change_follower.hpp"
#include "actors/inventory/directory.hpp"
#include "actors/inventory/replication_position.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/in_store.hpp"
#include "actors/runtime/published.hpp"
#include "actors/runtime/storage.hpp"
#include "store/calendars/unit_calendars.hpp"
#include "store/office/blocks.hpp"
#include "store/office/bookings.hpp"
#include "store/stays/holds.hpp"
#include "store/stays/platform_changes.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace roost::actors {

/// A write of an office user; `Request` says what.
template <typename Request>
struct office_write {
  store::office_scope scope;
  Request request;
  store::office_author author;
  actors::deadline deadline;
};

using create_block = office_write<store::block_creation>;
using change_block = office_write<store::block_change>;
using delete_block = office_write<store::block_deletion>;

using create_booking = office_write<store::booking_creation>;
using change_booking = office_write<store::booking_change>;
using cancel_booking = office_write<store::booking_cancellation>;

/// A platform's change of a stay, which the booking queue lets decide when it is due.
using decide_stay_change = office_write<store::stay_change_to_decide>;

/// Holds of nights by platforms. Only the deadline and the scope of the unit's account matter besides.
template <typename Request>
struct hold_write {
  store::office_scope scope;
  Request request;
  actors::deadline deadline;
};
using place_hold = hold_write<store::hold>;
using release_hold = hold_write<store::hold_release>;
using end_expired_holds = hold_write<store::hold_expiry>;

/// Stores the outcome of reading an imported calendar.
struct store_calendar {
  store::calendar_reading request;
  store::calendar_notices notices;
  actors::deadline deadline;
};

/// Releases nights whose write was in doubt, once memory knows its outcome.
struct check_doubtful_nights {};

/// Performs the office's writes of nights, platforms' changes and holds, and writes of imported calendars.
/// While one may take nights, it holds them in the unit's calendar, so that no booking is decided on them;
/// whether they are free, the store decides. Responds when the write is durable and visible in reads.
/// Responds with storage_error if the store or the follower does not respond in time: then the write may have
/// been made, and a repeated request is safe.
using office_writer = caf::typed_actor< /// Passes the message to the follower.
    caf::replies_to<show_change>::with<change_shown>,
    caf::replies_to<create_block>::with<store::block_outcome>,
    caf::replies_to<change_block>::with<store::block_outcome>,
    caf::replies_to<delete_block>::with<store::block_outcome>,
    caf::replies_to<create_booking>::with<store::booking_outcome>,
    caf::replies_to<change_booking>::with<store::booking_outcome>,
    caf::replies_to<cancel_booking>::with<store::booking_outcome>,
    caf::replies_to<decide_stay_change>::with<store::stay_change_outcome>,
    caf::replies_to<place_hold>::with<store::hold_receipt>,
    caf::replies_to<release_hold>::with<store::release_outcome>,
    caf::replies_to<end_expired_holds>::with<store::expired_holds>,
    caf::replies_to<store_calendar>::with<store::calendar_reading_outcome>,
    caf::reacts_to<check_doubtful_nights>>;

struct office_writer_setup {
  storage_actor storage;
  storage_actor reading; ///< looks up commits in doubt: the lane of the queue, which may wait for them
  std::shared_ptr<const held_lease> lease;
  change_follower follower;
  std::shared_ptr<const replication_position> followed; ///< the follower's
  const published<actors::directory>* directory = nullptr;
  std::function<domain::uuid()> new_id;
  std::chrono::milliseconds check_interval{250}; ///< of nights whose write is in doubt
};

office_writer spawn_office_writer(runtime& rt, office_writer_setup setup);

// Reads. They throw ask_error.

asio::awaitable<std::optional<store::office_page<store::office_block>>>
list_blocks(storage_lane lane, store::office_scope scope, domain::uuid unit,
            std::optional<store::block_place> after, std::size_t limit);

asio::awaitable<std::optional<store::office_block>> find_block(storage_lane lane, store::office_scope scope,
                                                               domain::uuid unit, domain::uuid id);

} // namespace roost::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::block_outcome)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::booking_outcome)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::stay_change_outcome)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::hold_receipt)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::release_outcome)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::expired_holds)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(roost::store::calendar_reading_outcome)
