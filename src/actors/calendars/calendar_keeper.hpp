#pragma once

#include "actors/calendars/calendar_reader.hpp"
#include "actors/office/office_writer.hpp"
#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/runtime.hpp"
#include "actors/runtime/storage.hpp"
#include "metrics/registry.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace roost::actors {

/// Looks for calendars whose time to be read has come.
struct look_for_calendars {};

/// Reads a calendar now, whether it is due or not.
struct read_calendar {
  domain::uuid id{};
  bool accepts_empty = false;              ///< an empty calendar is right, although it had nights to come
  std::optional<store::audit_entry> audit; ///< of the user who accepts that
  actors::deadline deadline;
};

/// Responds once a reading that began after the request has ended and its outcome is visible in reads, or if
/// the calendar does not exist.
struct calendar_read {};

/// Lets looks find a calendar again whose outcome could not be stored.
struct calendar_may_be_read {
  domain::uuid id{};
};

/// Reads imported calendars when they are due: at most one request to a host at a time, later ones with
/// jitter, and less often while a calendar fails. Reads nothing without the lease, on hold, or while the
/// clock is not trusted: users get storage_error::unavailable.
using calendar_keeper =
    caf::typed_actor<caf::reacts_to<look_for_calendars>, caf::replies_to<read_calendar>::with<calendar_read>,
                     /// Reads a text, without storing anything.
                     caf::replies_to<calendar_job>::with<store::calendar_reading>,
                     caf::reacts_to<calendar_may_be_read>>;

struct calendar_keeper_setup {
  storage_actor storage;
  std::shared_ptr<const held_lease> lease;
  office_writer writer;
  /// Called when a further reader is needed: their threads must not keep a process alive whose start failed.
  std::function<calendar_reader()> spawn_reader;
  std::size_t max_readers = 4; ///< that fetch calendars at the same time
  wall_clock now;
  store::calendar_notices notices;
  metrics::registry* registry = nullptr;

  std::chrono::milliseconds every{300'000}; ///< between two fetches of a calendar that has no interval
  std::function<double()> chance;           ///< returns numbers from 0 to 1, for the jitter
  std::chrono::milliseconds interval{500};  ///< between two looks for due calendars
  std::chrono::seconds store_timeout{10};
  bool is_on_hold = false; ///< reads nothing
  /// With a wrong clock, events would look old, and the next times would be too late.
  time_check is_time_trusted = actors::is_time_trusted;
};

calendar_keeper spawn_calendar_keeper(runtime& rt, calendar_keeper_setup setup);

} // namespace roost::actors
