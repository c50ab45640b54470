#pragma once

#include "store/copy/copy_plan.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"
#include "store/database/store_state.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Prepares and finishes the target of a copy, and stores the copy's progress in it.
namespace roost::store {

/// Throws copy_refused, without changing anything, unless the target is missing, empty or an unfinished copy
/// of this source.
void require_fit_target(session& source, session& target);

/// Creates or migrates a fit target to this program's schema.
void prepare_target(session& target);

/// Returns the marker of an unfinished copy of this source; nullopt if the target is empty. Throws
/// copy_refused if the target holds rows or a copy of another store.
std::optional<copy_marker> find_unfinished_copy(session& source, session& target);

/// Marks the target in its own transaction. A new copy empties all tables; one that resumes keeps the tables
/// it had started and empties the others, in case another process wrote into them.
void start_copy(session& target, const lease& held, const copy_marker& marker,
                const std::vector<planned_table>& plan, bool resumes);

struct table_progress {
  std::int64_t rows = 0;
  std::vector<std::string> last_key; ///< of the row written last; empty if none was written
  bool done = false;
};
using progress_by_table = std::map<std::string, table_progress, std::less<>>;

/// Returns the progress of the tables that were started.
progress_by_table read_progress(session& target);

// The functions below require a transaction.

/// Marks the target as an unfinished copy, or updates its marker.
void write_marker(session& target, const copy_marker& marker);

void write_progress(session& target, std::string_view table, const table_progress& progress);

/// Erases marker and progress, which makes the target an ordinary store.
void erase_marker(session& target);

/// Sets the target's sequences to the source's values.
void copy_sequences(session& source, session& target, const std::vector<planned_table>& plan);

/// Gives the target a history of its own that continues after the source's `position`.
void start_history(session& target, std::int64_t position);

/// Updates the query planner's statistics. Ignores errors; needs no transaction.
void analyze_tables(session& target, const std::vector<planned_table>& plan);

} // namespace roost::store
