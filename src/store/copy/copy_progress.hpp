#pragma once

#include "store/database/session.hpp"
#include "store/database/store_state.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What the target of a copy knows of it. All must run in a transaction.
namespace roost::store {

struct table_progress {
  std::int64_t rows = 0;
  std::vector<std::string> last_key; ///< of the row that was written last; empty: none yet
  bool done = false;
};

/// Of the tables that were begun, by their names.
std::map<std::string, table_progress, std::less<>> read_progress(session& target);

/// Marks the target, or notes a new state.
void write_marker(session& target, const copy_marker& marker);

void write_progress(session& target, std::string_view table, const table_progress& progress);

/// Forgets what was copied.
void erase_progress(session& target);

/// The copy is finished: the target is a store like any other.
void erase_marker(session& target);

} // namespace roost::store
