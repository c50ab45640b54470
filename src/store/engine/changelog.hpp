#pragma once

#include "domain/listing_edit.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace roost::store {

/// What somebody other than the landlord changed of a unit at one time (Partner API, Listing update:
/// changelog).
struct changelog_entry {
  domain::uuid id{};
  domain::uuid account_id{};
  domain::uuid unit_id{};
  domain::timestamp changed_at{};
  std::string changed_by; ///< the platform
  std::vector<domain::field_change> changes;
};

/// A unit's entries, the newest first; at most `limit`.
std::vector<changelog_entry> changelog_of(session& db, const domain::uuid& unit_id,
                                          std::size_t limit = 1'000);

/// Writes an entry in the transaction of its change. `edit` is the change's position in the stream.
void add_changelog_entry(session& db, const changelog_entry& entry, std::int64_t edit);

} // namespace roost::store
