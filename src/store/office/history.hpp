#pragma once

#include "domain/listing_edit.hpp"
#include "store/office/office.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Who changed what: the audit log of an account, and the changelogs of its units.
namespace roost::store {

/// Returns the entries that a filter selects, newest first: those after a place, at most `limit`. Counting
/// all of them takes as long as reading the whole log, so it is left out where nothing shows the total.
office_page<audit_entry> list_account_audit(session& db, const audit_filter& filter,
                                            const std::optional<audit_place>& after, std::size_t limit,
                                            with_total counted);

/// An entry of a unit's changelog.
struct unit_change {
  domain::uuid id{};
  domain::uuid subject_id{}; ///< the unit, or its block or booking
  domain::timestamp at{};
  std::string by; ///< a platform's name or a user's email address
  std::vector<domain::field_change> changes;
  std::int64_t edit = 0; ///< the change's position, which orders the entries
};

/// Whether a changelog is read with the changes of bookings, which show stays and payments.
enum class with_bookings { no, yes };

/// Returns the changes of a unit, newest first: those before the position `before`, at most `limit`. Returns
/// nullopt if there is no such unit.
std::optional<office_page<unit_change>> list_unit_changes(session& db, const office_scope& scope,
                                                          const domain::uuid& unit,
                                                          const std::optional<std::int64_t>& before,
                                                          std::size_t limit, with_total counted,
                                                          with_bookings shown = with_bookings::yes);

} // namespace roost::store
