#include "store/portfolio/held_nights.hpp"

#include "store/database/connection.hpp"
#include "store/portfolio/stored_rows.hpp"

#include <chrono>
#include <utility>

namespace roost::store {

namespace {

const selection holds_of_window{
    "holds_of_window",
    "select {columns} from holds where unit_id in {ids uuid} and ended_at is null and check_in <= :last"
    " and last_night >= :first order by check_in, block_id",
    columns(column("block_id", &held_nights::block_id), column("unit_id", &held_nights::unit_id),
            column("platform", &held_nights::platform), column("check_in", &held_nights::check_in),
            column("check_out", &held_nights::check_out), column("last_night", &held_nights::last_night),
            column("created_at", &held_nights::created_at),
            column("case when request_id is null then expires_at end", &held_nights::expires_at))};

} // namespace

std::vector<held_nights> holds_of(session& db, std::span<const domain::uuid> units) {
  return holds_among(db, units, {domain::date_of(std::chrono::year{1} / 1 / 1), domain::no_end});
}

std::vector<held_nights> holds_among(session& db, std::span<const domain::uuid> units,
                                     const domain::nights& nights) {
  std::vector<held_nights> holds;
  read_in_parts(db, holds_of_window, units, {{"first", nights.first}, {"last", nights.last}},
                [&](held_nights&& each) { holds.push_back(std::move(each)); });
  return holds;
}

} // namespace roost::store
