#include "store/bookings/taken_nights.hpp"

#include "domain/calendar.hpp"
#include "domain/stay_decision.hpp"
#include "store/database/connection.hpp"

namespace roost::store {

namespace {

/// Bookings and holds, with the nights that they block, and blocks.
const selection taking_among{
    "taking_among",
    "select {columns} from (select id, check_in as first_night, last_night from bookings"
    " where unit_id = :unit and status <> 'cancelled' and check_in <= :last and last_night >= :first"
    " union all select id, first_night, last_night from blocks where unit_id = :unit"
    " and first_night <= :last and (last_night is null or last_night >= :first)"
    " union all select block_id, check_in, last_night from holds"
    " where unit_id = :unit and ended_at is null and check_in <= :last and last_night >= :first) taking",
    columns(column("id", &domain::block::id),
            column("first_night", &domain::block::nights, &domain::nights::first),
            column<last_night_format>("last_night", &domain::block::nights, &domain::nights::last))};

} // namespace

std::vector<domain::nights> find_taken_nights(session& db, const domain::uuid& unit,
                                              const domain::nights& among) {
  const domain::calendar taking(
      db.internals().read_all(taking_among, {{"unit", unit}, {"first", among.first}, {"last", among.last}}));
  return domain::taken_nights(taking, among);
}

} // namespace roost::store
