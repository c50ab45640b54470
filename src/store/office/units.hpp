#pragma once

#include "domain/portfolio.hpp"
#include "store/office/name_list.hpp"
#include "store/office/office_write.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

/// Units with their links and exclusions, as the office reads and writes them.
namespace roost::store {

using unit_id_set = std::unordered_set<domain::uuid, domain::uuid_hash>;

struct unit_filter {
  std::optional<domain::uuid> property_id;
  std::optional<bool> archived;
  std::optional<std::string> platform; ///< that the unit is linked to
  std::string text; ///< part of the unit's or its property's name, in any letter case; empty: any
  /// Which units, by their ids; empty: all.
  std::function<bool(const domain::uuid&)> includes = {};
};

/// Returns the units by name: those after a place, at most `limit`.
office_page<domain::portfolio_unit> list_units(session& db, const office_scope& scope,
                                               const unit_filter& filter,
                                               const std::optional<name_place>& after, std::size_t limit);

/// Returns the account's units without a usable rent (domain::has_usable_rent). Memory's directory may not
/// have the rents that the booking engine wrote last.
unit_id_set units_without_rent(session& db, const domain::uuid& account);

/// Returns the place of a unit in the order of lists.
name_place place_of(const domain::portfolio_unit& unit);

/// Returns whether the unit exists; locks it for the transaction. Throws locked_elsewhere if another
/// transaction holds it: that may be a long import, and this one also locks the lease, whose renewal must not
/// be delayed.
bool lock_unit(session& db, const office_scope& scope, const domain::uuid& id);

/// Returns whether the user sees this unit.
bool is_unit_in_scope(session& db, const office_scope& scope, const domain::uuid& id);

std::optional<domain::portfolio_unit> find_unit(session& db, const office_scope& scope,
                                                const domain::uuid& id);

/// Returns who changed a unit last, and when.
last_change last_change_of_unit(session& db, const office_scope& scope, const domain::portfolio_unit& unit);

// Each of these writes the unit, the audit entry, the changelog, the marks for imports and the entry of the
// change stream in one transaction, or nothing. They throw lease_lost, or unavailable: also while an import
// writes the unit.

/// The property must be one that the scope contains. Only the links and exclusions of the unit are written,
/// not its blocks.
office_outcome<domain::portfolio_unit> create_unit(session& db, const lease& held, const office_scope& scope,
                                                   const office_creation<domain::portfolio_unit>& request,
                                                   const office_author& author);

office_outcome<domain::portfolio_unit> change_unit(session& db, const lease& held, const office_scope& scope,
                                                   const office_change<domain::portfolio_unit>& request,
                                                   const office_author& author);

/// Archives the unit instead if it has bookings of any status.
office_outcome<domain::portfolio_unit> delete_unit(session& db, const lease& held, const office_scope& scope,
                                                   const office_deletion<domain::portfolio_unit>& request,
                                                   const office_author& author);

} // namespace roost::store
