#pragma once

#include "domain/portfolio.hpp"
#include "store/office/office_write.hpp"
#include "store/office/units.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// Properties, as the office reads and writes them. Their units are empty, except in a creation.
namespace roost::store {

struct property_filter {
  std::optional<bool> archived;
  std::string text; ///< part of its name or city, in any letter case; empty: any
};

/// Returns the properties by name: those after a place, at most `limit`.
office_page<domain::portfolio_property> list_properties(session& db, const office_scope& scope,
                                                        const property_filter& filter,
                                                        const std::optional<name_place>& after,
                                                        std::size_t limit);

/// Returns the place of a property in the order of lists.
name_place place_of(const domain::portfolio_property& property);

std::optional<domain::portfolio_property> find_property(session& db, const office_scope& scope,
                                                        const domain::uuid& id);

// As for units (store/office/units.hpp). A change of a property moves none of its units.

/// Creates the property with its units, whose ids must be set.
office_outcome<domain::portfolio_property>
create_property(session& db, const lease& held, const office_scope& scope,
                const office_creation<domain::portfolio_property>& request, const office_author& author);

office_outcome<domain::portfolio_property>
change_property(session& db, const lease& held, const office_scope& scope,
                const office_change<domain::portfolio_property>& request, const office_author& author);

/// Deletes the property with its units; archives it instead if one of them has bookings of any status.
office_outcome<domain::portfolio_property>
delete_property(session& db, const lease& held, const office_scope& scope,
                const office_deletion<domain::portfolio_property>& request, const office_author& author);

} // namespace roost::store
