#pragma once

#include "store/database/change_stream.hpp"
#include "store/office/office.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// The change stream, as the event streams of the office show it: by account, with the ids of what changed.
namespace roost::store {

/// What one commit changed in one account.
struct office_event {
  struct subject {
    domain::uuid id{};
    /// The owner of its property; users with an owner see only that owner's. nullopt: no owner.
    std::optional<domain::uuid> owner_id;
    bool is_for_all = false; ///< an import or a command changed the account: concerns all owners

    friend bool operator==(const subject&, const subject&) = default;
  };

  std::int64_t position = 0;
  change_kind kind = change_kind::account;
  domain::uuid account_id{};
  /// What changed: units, properties, bookings and other resources, with the units that they belong to.
  /// Changes of settings and cards, and of a whole account, name the account.
  std::vector<subject> subjects;
};

/// Returns the ids of an event that the scope contains; empty if it does not concern the scope.
std::vector<domain::uuid> ids_in(const office_event& event, const office_scope& scope);

struct office_events {
  std::vector<office_event> events; ///< by position
  stream_point end;                 ///< of the last entry that was read
};

/// Returns the events of the entries after a point, up to a position, of at most `max_entries` entries.
/// nullopt if the stream does not continue from the point: the store has another history, or the entries have
/// been deleted.
std::optional<office_events> events_after(session& db, const stream_point& after, std::int64_t until,
                                          std::size_t max_entries);

} // namespace roost::store
