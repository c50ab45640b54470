#pragma once

#include "domain/listing_edit.hpp"
#include "domain/property_request.hpp"
#include "domain/uuid.hpp"
#include "store/audit/audit.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What a platform edits and reads of the units that are linked to it.
namespace roost::store {

/// A unit as a platform's request names it.
struct linked_unit {
  domain::uuid id{};
  std::string platform;     ///< the requesting platform
  std::string linked_as;    ///< the unit's external ID on the platform
  std::string requested_as; ///< the ID in the request: `linked_as`, or an ID that begins with it
};

/// A platform's request to edit a unit.
struct unit_edit {
  linked_unit unit;
  domain::listing_edit edit;
  domain::uuid entry_id{}; ///< the ID of the changelog entry
  domain::timestamp now{};
  audit_entry audit = {}; ///< written if the edit changes the unit
};

/// A unit's state after an edit that changed it.
struct edited_unit {
  domain::uuid account_id{}, unit_id{};
  domain::editable_terms terms;
  domain::timestamp updated_at{};
  std::vector<domain::block> blocks; ///< manual and channel ones, which calendars receive with the terms
};

struct edit_outcome {
  bool found = false;  ///< whether the unit is linked under the requested ID, in the platform's feed, and
                       ///< not archived
  bool locked = false; ///< an import is writing the unit, so that nothing was written
  stream_point point;  ///< the position at which the unit has these terms
  std::optional<edited_unit> changed; ///< nullopt if the terms were the same; then nothing was written
};

/// Reads the current state of units that another server edited; removed units are left out.
std::vector<edited_unit> edited_units(session& db, std::span<const domain::uuid> units);

/// Writes the terms, the changelog entries and the stream's entries of these edits in one transaction, in
/// order. Returns an outcome for each edit. Throws lease_lost or unavailable.
std::vector<edit_outcome> edit_units(session& db, const lease& held, std::span<const unit_edit> requests);

/// One edit of a unit by a platform, for the landlord (Partner API, Listing update: changelog).
struct changelog_entry {
  domain::uuid id{};
  domain::uuid account_id{};
  domain::uuid unit_id{};
  domain::timestamp changed_at{};
  std::string changed_by; ///< the platform
  std::vector<domain::field_change> changes;
};

/// Returns a unit's newest entries first, at most `limit`.
std::vector<changelog_entry> changelog_of(session& db, const domain::uuid& unit_id,
                                          std::size_t limit = 1'000);

/// Returns the tenants of all checked-in bookings at the unit's property, ordered by date. Returns nullopt if
/// the unit is not linked to the platform as `linked_as`, is excluded from its feed, or is archived, or its
/// property is, or if another unit of the account is linked as `requested_as`.
std::optional<std::vector<domain::housemate>> housemates_of(session& db, const linked_unit& unit);

} // namespace roost::store
