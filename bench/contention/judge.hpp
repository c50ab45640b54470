#pragma once

#include "history.hpp"

#include <string>
#include <vector>

namespace roost::contention {

/// A stay that is in the store after the load, by the number of its request.
struct stored_stay {
  std::uint64_t number = 0;
  std::uint32_t unit = 0;
  domain::date check_in{}, check_out{};
};

enum class fault_kind {
  double_booking,    ///< two stays in the store share a night of a unit
  lost,              ///< a client was told "booked", and the store has no such stay
  not_asked_for,     ///< the store has a stay that was refused or given up, or that nobody asked for so
  groundless_refusal ///< refused, and nothing that was booked by then shares a night
};

const char* to_string(fault_kind kind);

/// One offence with the shortest history that shows it: the operations that share its nights and bear on it.
struct offence {
  fault_kind kind{};
  std::uint32_t unit = 0;
  history shown;
};

struct verdict {
  std::uint64_t operations = 0, booked = 0, refused = 0, failed = 0;
  std::uint64_t unknown = 0, unknown_booked = 0; ///< the second: those of them that the store has
  std::uint64_t double_bookings = 0; ///< stays that share a night with one that was stored before them
  std::uint64_t lost = 0, not_asked_for = 0, groundless_refusals = 0;
  std::optional<offence> shortest; ///< of all offences the one with the fewest operations

  bool is_right() const { return double_bookings + lost + not_asked_for + groundless_refusals == 0; }
};

/// Judges a whole history by itself and by what the store holds after it.
///
/// The model is a calendar for each unit that only fills up: a request books its nights when all of them are
/// free, else it is refused. A history is linearizable when it is so unit by unit (Herlihy and Wing's
/// locality), and a unit's is exactly when
///   1. the stays that were booked share no night with one another, and
///   2. every refused request shares a night with a booked one that was not invoked after the refusal
///   returned.
/// Both are necessary. They suffice: put each booking at its invocation and each refusal at its return, which
/// is within both's intervals. Bookings succeed there by 1 in any order, refusals by 2. So the check takes
/// n log n and no search.
///
/// An operation whose end the client does not know counts as a booking that was invoked and never returned
/// when the store has its stay, and as nothing when it has not.
verdict judge(const history& all, const std::vector<stored_stay>& stored);

} // namespace roost::contention
