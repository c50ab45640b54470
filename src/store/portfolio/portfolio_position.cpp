#include "store/portfolio/portfolio_position.hpp"

#include "store/database/connection.hpp"

namespace roost::store {

namespace {

constexpr query read_place{"read_place", "select version, edits from portfolio_state where id = 1", 2};
constexpr query next_edit{
    "next_edit", "update portfolio_state set edits = edits + 1 where id = 1 returning version, edits", 2};

portfolio_position place_from(session& db, const query& of) {
  portfolio_position position;
  db.internals().read(of, {}, [&](row& r) {
    position.version = r.integer();
    position.edits = r.integer();
  });
  return position;
}

} // namespace

portfolio_position current_position(session& db) { return place_from(db, read_place); }

portfolio_position count_edit(session& db) { return place_from(db, next_edit); }

} // namespace roost::store
