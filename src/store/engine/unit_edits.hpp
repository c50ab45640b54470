#pragma once

#include "domain/listing_edit.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace roost::store {

/// An edit of a unit that a platform asks for.
struct unit_edit {
  domain::uuid unit_id{};
  std::string platform;  ///< who asks
  std::string linked_as; ///< the unit's ID there
  domain::listing_edit edit;
  domain::uuid entry_id{}; ///< for the changelog
  domain::timestamp now{};
};

/// A unit after an edit that changed something.
struct edited_unit {
  domain::uuid account_id{}, unit_id{};
  domain::editable_terms terms;
  domain::timestamp updated_at{};
  std::vector<domain::block>
      blocks; ///< manual and channel ones, which a calendar is told together with its terms
};

struct edit_outcome {
  bool found = false; ///< the unit is linked under that ID, included in the feed, and not archived
  stream_point point; ///< at which the unit has these terms
  std::optional<edited_unit> changed; ///< none: it had them already, and nothing was written
};

/// The units as they are now, for a server that did not edit them itself. Those that are gone are left out.
std::vector<edited_unit> edited_units(session& db, std::span<const domain::uuid> units);

/// Writes the terms, the changelog's entry and the change in one transaction. Throws lease_lost or
/// unavailable, which it is also while an import writes the same unit.
edit_outcome edit_unit(session& db, const lease& held, const unit_edit& wanted);

} // namespace roost::store
