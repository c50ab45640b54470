#pragma once

#include "store/bookings/stay_changes.hpp"
#include "store/office/bookings.hpp"

#include <cstdint>
#include <optional>

/// Decides changes of stays that platforms request, by the rules of the office's changes.
namespace roost::store {

/// A pending change to decide.
struct stay_change_to_decide {
  std::int64_t seq = 0;                ///< pending_stay_change::seq
  std::optional<unit_nights> expected; ///< the nights that it takes, as booking_change::expected
  booking_description describe;
  booking_notice notice;
};

struct stay_change_outcome {
  enum class kind {
    decided,
    decided_before,
    undecided, ///< the booking is not decided yet
    outdated,  ///< the booking has changed since `expected` was read
  };

  kind result = kind::outdated;
  stay_change_decision decision; ///< if it is decided
  stream_point point;            ///< if it is applied: the position at which reads show it
};

/// Decides a change and writes all effects of the decision in one transaction. The scope is the account of
/// the booking; without a booking, it is not used. Throws lease_lost, or unavailable: also while an import
/// writes the unit.
stay_change_outcome decide_stay_change(session& db, const lease& held, const office_scope& scope,
                                       const stay_change_to_decide& request, const office_author& author);

} // namespace roost::store
