#pragma once

#include "domain/booking.hpp"
#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/audit/audit.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Imported calendars: when they are read, and the events of their versions.
namespace roost::store {

/// A calendar whose time to be read has come.
struct due_calendar {
  domain::uuid id{}, unit_id{}, account_id{};
  std::string url; ///< empty: it was uploaded
  std::string etag, last_modified;
  std::optional<int> every_seconds; ///< between two fetches; nullopt: as configured
  int failures = 0;
  std::int64_t revision = 0; ///< of the settings
};

/// Returns the calendars that are due, the longest waiting first; none while an import is pending: what is
/// read could not be stored.
std::vector<due_calendar> due_calendars(session& db, domain::timestamp now, std::size_t limit);

/// Returns one of them whether it is due or not; nullopt if it does not exist.
std::optional<due_calendar> find_calendar_to_read(session& db, const domain::uuid& id);

/// Returns the uploaded text that is not read yet; nullopt if there is none.
std::optional<std::string> calendar_upload(session& db, const domain::uuid& id);

enum class calendar_result {
  same,    ///< nothing has changed since the last good version
  version, ///< a new version
  failed,
};

/// The outcome of an attempt to read a calendar.
struct calendar_reading {
  domain::uuid id{}, unit_id{}, account_id{};
  std::int64_t revision = 0; ///< of the calendar when it was read
  calendar_result result = calendar_result::failed;
  std::vector<domain::nights> events; ///< of a version: sorted, each once
  std::string etag, last_modified;    ///< of a version
  std::string problem;                ///< for people, of a failure
  bool accepts_empty = false;         ///< an empty version is right, although the last one has nights to come
  std::optional<audit_entry> audit{}; ///< of the user who accepts that
  domain::timestamp now{};
  domain::date today{};
  std::optional<domain::timestamp> next_fetch; ///< nullopt: never
};

/// Nights of an event that a booking or another host's calendar claims, too.
struct calendar_conflict {
  domain::uuid account_id{};
  std::string calendar_name, unit_name;
  domain::nights nights;
};

/// A calendar that could not be read for some time.
struct failing_calendar {
  domain::uuid account_id{};
  std::string calendar_name, unit_name, problem;
};

/// Builds notifications to the landlord.
struct calendar_notices {
  std::function<domain::notification(const calendar_conflict&)> conflict;
  std::function<domain::notification(const failing_calendar&)> failure;
};

/// The most conflicts of one version that the landlord is notified of, each on its own.
inline constexpr int max_reported_conflicts = 20;

/// After this many failures in a row the landlord is notified, once.
inline constexpr int failures_before_notice = 3;

struct calendar_reading_outcome {
  bool is_found = false; ///< false if the calendar was deleted meanwhile
  /// The office has changed the calendar since it was read: nothing was stored, and it is still due.
  bool is_outdated = false;
  bool is_changed = false; ///< whether blocks changed: then `point` is the position at which reads show it
  stream_point point{};
};

/// Stores the outcome of an attempt, in one transaction with the blocks and the notifications that follow
/// from it. An empty version in place of one with nights to come counts as a failure, unless it is accepted:
/// nothing that was not read becomes free. Throws lease_lost, or unavailable, or constraint_violated if a
/// booking was made at the same time.
calendar_reading_outcome store_reading(session& db, const lease& held, const calendar_reading& reading,
                                       const calendar_notices& notices);

} // namespace roost::store
