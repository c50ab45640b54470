#pragma once

#include "domain/date.hpp"
#include "domain/unit.hpp"
#include "domain/uuid.hpp"
#include "store/office/name_list.hpp"
#include "store/office/office_write.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Imported calendars of a unit, as the office reads and writes them. The unit is that of the scope, which
/// must have one.
namespace roost::store {

struct office_calendar {
  domain::uuid id{}, unit_id{};
  std::string name;
  std::optional<std::string> url;   ///< nullopt: it is uploaded
  std::string host;                 ///< the short-term host that it comes from, or empty
  std::optional<int> every_seconds; ///< between two fetches; nullopt: as configured
  /// A text to read as the calendar's next version; only of a creation or a change.
  std::optional<std::string> upload;
  domain::timestamp created_at{}, updated_at{};

  // The outcome of reading it.
  std::optional<domain::timestamp> fetched_at, succeeded_at;
  int failures = 0;          ///< in a row
  std::string problem;       ///< of the last failure; empty after a success
  bool has_vanished = false; ///< it is suddenly empty, and the version before stays
  std::int64_t events = 0;
};

name_place place_of(const office_calendar& calendar);

/// Returns the unit's calendars by name; nullopt if the user sees no such unit.
std::optional<office_page<office_calendar>> list_calendars(session& db, const office_scope& scope,
                                                           const std::optional<name_place>& after,
                                                           std::size_t limit);

std::optional<office_calendar> find_calendar(session& db, const office_scope& scope, const domain::uuid& id);

// Each of these writes the calendar, the audit entry, the unit's changelog and the entry of the change stream
// in one transaction, or nothing. They throw lease_lost, or unavailable.

/// The calendar is due immediately.
office_outcome<office_calendar> create_calendar(session& db, const lease& held, const office_scope& scope,
                                                const office_creation<office_calendar>& request,
                                                const office_author& author);

/// After an upload, or with another URL or another interval of fetches, the calendar is due immediately;
/// until it is read, its events stay.
office_outcome<office_calendar> change_calendar(session& db, const lease& held, const office_scope& scope,
                                                const office_change<office_calendar>& request,
                                                const office_author& author);

/// Frees the nights that only this calendar blocks.
office_outcome<office_calendar> delete_calendar(session& db, const lease& held, const office_scope& scope,
                                                const office_deletion<office_calendar>& request,
                                                const office_author& author);

} // namespace roost::store
