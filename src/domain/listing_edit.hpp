#pragma once

#include "domain/unit.hpp"

#include <map>
#include <string>
#include <vector>

namespace roost::domain {

/// What the booking engine may write of a unit, as it sends it (Partner API, Listing update).
struct listing_edit {
  bool rent_fixed = true;
  money rent;                          ///< fixed rent, and that of each month which `per_month` leaves out
  std::map<unsigned, money> per_month; ///< by month, 1 to 12; without meaning for a fixed rent
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

/// Whether there are stays that both limits allow: 0 is no maximum.
bool are_stay_limits(int min_months, int max_months);

/// The terms after an edit. A fixed rent clears the monthly schedule; in one that varies all twelve months
/// have a rent. What does not change keeps its times, and "no limit" stays written as it was.
editable_terms edited(const editable_terms& before, const listing_edit& edit, timestamp now);

/// Gives a unit these terms.
void apply(const editable_terms& terms, unit& to);

/// One line of a unit's changelog. Values are JSON: `650`, `true`; `null` where there is none.
struct field_change {
  std::string field; ///< as partners call it: `rent`, `rentsPerMonth.3`, …
  std::string before, after;

  friend bool operator==(const field_change&, const field_change&) = default;
};

/// What differs, in the order of the listing object; nothing when nothing does.
std::vector<field_change> changes_between(const editable_terms& before, const editable_terms& after);

} // namespace roost::domain
