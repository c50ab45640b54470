#pragma once

#include "history.hpp"

#include <optional>
#include <string>
#include <vector>

namespace roost::contention {

/// A stay in the store after the load, by the number of its request.
struct stored_stay {
  std::uint64_t number = 0;
  std::uint32_t unit = 0;
  domain::date check_in{}, check_out{};
};

enum class violation_kind {
  double_booking,    ///< two stays in the store share a night of a unit
  lost,              ///< a client received "booked", and the store has no such stay
  unexpected,        ///< the store has a stay that was refused, given up, never requested, or differs
  groundless_refusal ///< refused, although no stay that was booked by then shares a night
};

const char* to_string(violation_kind kind);

/// A violation with the shortest history that proves it: the relevant operations on the same nights.
struct violation {
  violation_kind kind{};
  std::uint32_t unit = 0;
  history operations;
};

struct verdict {
  std::uint64_t operations = 0, booked = 0, refused = 0, failed = 0;
  std::uint64_t unknown = 0, unknown_booked = 0; ///< all unknown outcomes; those whose stay the store has
  std::uint64_t double_bookings = 0;             ///< stays that share a night with one stored before them
  std::uint64_t lost = 0, unexpected = 0, groundless_refusals = 0;
  std::optional<violation> shortest; ///< the violation with the fewest operations

  bool is_correct() const { return double_bookings + lost + unexpected + groundless_refusals == 0; }
};

/// Verifies a complete history against itself and against the stays stored after it.
///
/// The model is a calendar per unit that only fills up: a request books its nights if all of them are free,
/// otherwise it is refused. A history is linearizable if it is linearizable unit by unit (Herlihy and Wing's
/// locality), and the history of a unit is linearizable if and only if
///   1. booked stays share no night, and
///   2. every refused request shares a night with a booked one that was not invoked after the refusal
///   returned.
/// Both conditions are necessary. They are sufficient: place each booking at its invocation and each refusal
/// at its return, which lie within their intervals. By 1, the bookings succeed there in any order; by 2, the
/// refusals are refused. The check therefore takes n log n and no search.
///
/// An operation with an unknown outcome counts as a booking that was invoked and never returned if the store
/// has its stay; otherwise it is ignored.
verdict verify(const history& operations, const std::vector<stored_stay>& stored);

} // namespace roost::contention
