#pragma once

#include "domain/unit.hpp"

#include <map>
#include <string>
#include <vector>

namespace roost::domain {

/// A unit's listing update, as the booking engine sends it (Partner API, Listing update).
struct listing_edit {
  bool rent_fixed = true;
  money rent;                          ///< fixed rent, and the rent of months that `per_month` leaves out
  std::map<unsigned, money> per_month; ///< by month, 1 to 12; ignored if the rent is fixed
  int min_stay_months = 0;             ///< 0: no minimum
  int max_stay_months = 0;             ///< 0: no maximum
  money extra_price_per_tenant;
};

/// The part of a unit's terms that the engine may write.
struct editable_terms {
  rent_terms rent;
  std::optional<int> min_stay_months, max_stay_months;
  money extra_price_per_tenant;
};

/// Returns whether the limits are consistent; a maximum of 0 means none.
bool are_stay_limits(int min_months, int max_months);

/// Returns the terms after an edit. A fixed rent clears the monthly schedule; a variable rent prices all
/// twelve months. Unchanged months keep their timestamps, and "no limit" keeps its representation (nullopt or
/// 0).
editable_terms edited(const editable_terms& before, const listing_edit& edit, timestamp now);

/// Copies the terms to a unit.
void apply(const editable_terms& terms, unit& to);

/// One line of a unit's changelog. Values are JSON: `650`, `true`; `null` where there is none.
struct field_change {
  std::string field; ///< as partners name it: `rent`, `rentsPerMonth.3`, …
  std::string before, after;

  friend bool operator==(const field_change&, const field_change&) = default;
};

/// Returns the fields that differ, in the order of the listing object.
std::vector<field_change> changes_between(const editable_terms& before, const editable_terms& after);

} // namespace roost::domain
