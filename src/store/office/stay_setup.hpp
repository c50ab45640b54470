#pragma once

#include "domain/calendar.hpp"
#include "domain/portfolio.hpp"
#include "domain/stay_decision.hpp"
#include "store/database/session.hpp"
#include "store/office/office.hpp"

#include <optional>
#include <string>

/// The data that decide about a stay that the office requests.
namespace roost::store {

/// A unit with everything that decides about a stay in it.
struct stay_setup {
  domain::account account; ///< with at most the card of the stay's platform
  domain::property_terms property;
  domain::portfolio_unit unit;
  domain::calendar calendar; ///< what takes nights of the stay

  /// Refers to this object. The unit is withheld if it or its property is archived; on a platform, also if it
  /// is excluded from its feed or the platform cannot name it.
  domain::bookable_unit on(const domain::platform* platform) const;

  /// For a booking that exists: its platform neither decides nor pays anything else.
  domain::bookable_unit for_change(const domain::booking& booking) const;
};

/// Reads it in the caller's transaction. `platform` may be empty; the nights of the booking `moved` count as
/// free. nullopt if the unit is not in the scope.
std::optional<stay_setup> read_stay_setup(session& db, const office_scope& scope, const domain::uuid& unit,
                                          const std::string& platform, const domain::nights& stay,
                                          const std::optional<domain::uuid>& moved = std::nullopt);

/// Returns what a booking by hand would be decided now; nullopt if the unit is not in the scope. `platform`
/// may be null. The stay's dates must be in order.
std::optional<domain::stay_quote> quote_stay(session& db, const office_scope& scope, const domain::uuid& unit,
                                             const domain::platform* platform,
                                             const domain::requested_stay& stay);

} // namespace roost::store
