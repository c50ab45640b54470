#pragma once

#include "domain/portfolio.hpp"
#include "store/office/office_write.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// Writes of the rows of a unit, which also properties need.
namespace roost::store::office_unit_rows {

bool is_id_taken(session& db, const domain::uuid& id);

/// Returns why other resources contradict what differs from `before` (null: everything), each as the rest of
/// a sentence about the unit.
std::vector<std::string> conflicts_of(session& db, const office_scope& scope,
                                      const domain::portfolio_unit* before,
                                      const domain::portfolio_unit& unit);

/// A unit to insert, if `before` is null, or to change. Writing it completes `after` with what the store adds
/// (times, the account, its blocks and the order of its lists), as read_units() returns it.
struct unit_write {
  const domain::portfolio_unit* before;
  domain::portfolio_unit* after;
};

/// Writes all these units with their links and exclusions, without blocks; returns the marks. Their names may
/// change places.
std::vector<office_mark> write(session& db, const office_scope& scope, std::span<const unit_write> units,
                               domain::timestamp now);

/// Returns what event streams name if units move to another property: also to the owner of the former one.
/// nullopt if none moves.
std::optional<shown_resources> shown_moves(session& db, std::span<const unit_write> units);

/// Returns the unit as the users of its owner see it.
shown_resources shown_to_owner(session& db, const domain::portfolio_unit& unit);

/// Inserts the unit with its links and exclusions; returns the marks.
std::vector<office_mark> insert(session& db, const office_scope& scope, domain::portfolio_unit& unit,
                                domain::timestamp now);

/// Writes what differs from `before`, without blocks; returns the marks.
std::vector<office_mark> update(session& db, const office_scope& scope, const domain::portfolio_unit& before,
                                domain::portfolio_unit& after, domain::timestamp now);

} // namespace roost::store::office_unit_rows
