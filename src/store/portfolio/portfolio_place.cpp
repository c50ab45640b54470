#include "store/portfolio/portfolio_place.hpp"

#include "store/database/connection.hpp"

namespace roost::store {

namespace {

constexpr query read_place{"read_place", "select version, edits from portfolio_state where id = 1", 2};
constexpr query next_edit{
    "next_edit", "update portfolio_state set edits = edits + 1 where id = 1 returning version, edits", 2};

portfolio_place place_from(session& on, const query& of) {
  portfolio_place place;
  on.internals().read(of, {}, [&](row& r) {
    place.version = r.integer();
    place.edits = r.integer();
  });
  return place;
}

} // namespace

portfolio_place current_place(session& on) { return place_from(on, read_place); }

portfolio_place count_edit(session& on) { return place_from(on, next_edit); }

} // namespace roost::store
