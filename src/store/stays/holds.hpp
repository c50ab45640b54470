#pragma once

#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/office/office.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Holds: nights that a platform keeps free for a guest who is about to book. They take nights as bookings
/// do, until they expire, are released, or the decision of a booking request that has claimed them ends them.
namespace roost::store {

/// How many holds that no booking request has claimed a platform may have with one landlord.
inline constexpr std::int64_t max_holds = 50;

/// A hold as a platform requests it.
struct hold {
  std::string platform, id; ///< the platform's ID
  domain::uuid block_id{};  ///< names it in calendars
  domain::uuid unit_id{};
  std::string external_id; ///< as the platform names the unit
  domain::date check_in{}, check_out{};
  domain::date last_night{}; ///< that it takes: the unit is prepared after the stay
  int minutes = 0;
  domain::timestamp created_at{}, expires_at{};
};

/// Returns whether two holds with one ID have the same body.
bool request_the_same(const hold& a, const hold& b);

/// A stored hold.
struct hold_record {
  store::hold hold;
  std::optional<domain::uuid> request_id; ///< of the booking request that has claimed it
  std::optional<domain::timestamp> ended_at;
};

std::optional<hold_record> find_hold(session& db, const std::string& platform, const std::string& id);

/// The outcome of placing a hold.
struct hold_receipt {
  enum class kind {
    created,
    repeated,  ///< the same hold was placed before, and may have ended
    different, ///< the ID was used for another one
    taken,     ///< a night is taken
    forbidden, ///< by the landlord, on the platform's card
    too_many,  ///< the platform has max_holds with the landlord
    no_unit,   ///< the unit was removed
  };

  kind result = kind::no_unit;
  domain::timestamp expires_at{};    ///< if it was created or repeated
  std::vector<domain::nights> taken; ///< the nights that are taken, as ranges in order
  stream_point point;                ///< the position at which reads show it, if it was created or repeated
};

/// Places a hold. The scope is the account of the unit. Throws lease_lost, or unavailable: also while an
/// import writes the unit.
hold_receipt place_hold(session& db, const lease& held, const office_scope& scope, const hold& request);

/// A platform's request to release a hold.
struct hold_release {
  std::string platform, id;
  domain::timestamp now{};
};

struct release_outcome {
  enum class kind {
    released,
    ended,   ///< it had ended before
    claimed, ///< a booking request has claimed it and is not decided yet
    unknown, ///< the platform has placed no hold with the ID
  };

  kind result = kind::unknown;
  stream_point point; ///< the position at which reads show the nights as free, if it was released
};

/// Ends a hold. Throws lease_lost or unavailable.
release_outcome release_hold(session& db, const lease& held, const hold_release& request);

/// What there is to do about holds that no request has claimed.
struct hold_status {
  bool have_expired = false;
  bool are_left = false;      ///< there are some that have not ended, expired ones included
  bool have_old_rows = false; ///< rows of holds that ended 30 days ago
};

hold_status hold_status_at(session& db, domain::timestamp now);

struct hold_expiry {
  domain::timestamp now{};
  std::size_t limit = 500; ///< how many holds to end, and old rows to delete, at most
  bool deletes_old_rows = true;
};

struct expired_holds {
  std::size_t count = 0;
  stream_point point; ///< the position at which reads show the nights as free, if there were any
};

/// Ends holds that have expired, except those that another transaction has locked. Deletes the rows of holds
/// that ended 30 days ago. Throws lease_lost or unavailable.
expired_holds end_expired_holds(session& db, const lease& held, const hold_expiry& request);

} // namespace roost::store
