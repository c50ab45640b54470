#pragma once

#include "domain/unit.hpp"

#include <optional>

namespace roost::domain {

/// The first booking window, by its first check-in, whose last check-in is today or later; null when all are
/// over or there is none (Partner API, Listing object, rule 8).
const booking_window* open_window(const unit& of, date today);

/// Shortest and longest stay in months; none or 0: no limit.
struct stay_limits {
  std::optional<int> min_months, max_months;
};

/// The limits of stays in a window: whole months from the last check-in to the first check-out, rounded down
/// and never below 0, and from the first check-in to the last check-out, rounded up.
stay_limits limits_in(const booking_window& window);

/// What marketplace B is told: the limits of its window, else the unit's own.
stay_limits limits_by_window(const unit& of, date today);

} // namespace roost::domain
