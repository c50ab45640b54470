#pragma once

#include "domain/portfolio.hpp"
#include "store/office/office_write.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Many units that the office creates and changes in one step.
namespace roost::store {

/// What a row does to a unit.
struct unit_row_edit {
  std::vector<std::string> problems; ///< each as the rest of a sentence about the row
  std::vector<domain::field_change> changes;
};

/// The rows of a table of units.
struct unit_table {
  /// The ids that the rows name. A row with the id of a unit changes it; any other creates one.
  std::vector<std::optional<domain::uuid>> ids;
  /// Applies a row to its unit. A new one has no id yet.
  std::function<unit_row_edit(std::size_t row, domain::portfolio_unit& unit, bool is_new)> apply;
  /// Returns whether the row was written by somebody who had seen this state of the unit.
  std::function<bool(std::size_t row, const domain::portfolio_unit& stored)> is_current;
};

struct unit_row_outcome {
  /// `created`, `changed`, `unchanged`, or why the row is refused: `refused`, `outdated`, `conflicting`.
  office_result result = office_result::unchanged;
  domain::portfolio_unit unit; ///< as the row describes it; if `outdated`, as it is stored
  std::vector<domain::field_change> changes;
  std::vector<std::string> problems; ///< if `refused` or `conflicting`
  last_change last;                  ///< if `outdated`
};

struct unit_table_outcome {
  /// `changed`, or why nothing is written. A table is `refused` before `outdated` before `conflicting`.
  office_result result = office_result::changed;
  std::vector<unit_row_outcome> rows;
  stream_point point;
};

/// Returns what write_unit_table() would do now.
unit_table_outcome plan_unit_table(session& db, const office_scope& scope, const unit_table& table);

/// Writes all units with their traces in one transaction, or nothing. Each has an audit entry like that of a
/// write of its own, with an id of `new_id`. Throws lease_lost, or unavailable.
unit_table_outcome write_unit_table(session& db, const lease& held, const office_scope& scope,
                                    const unit_table& table, const office_author& author,
                                    const std::function<domain::uuid()>& new_id);

} // namespace roost::store
