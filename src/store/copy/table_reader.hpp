#pragma once

#include "store/copy/copy_plan.hpp"
#include "store/database/cell.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace roost::store {

enum class copy_side : std::uint8_t { source, target };

/// Reads a table in the order of its key, a page of rows at a time. The order is that of bytes in both
/// databases.
class table_reader {
public:
  /// Begins behind the row with the key `after`; empty: at the first one. Reads only rows for which
  /// `condition` holds, where there is one.
  table_reader(session& db, const planned_table& table, copy_side side, std::vector<std::string> after = {},
               const std::string& condition = {});

  /// The next `most` rows; fewer at the table's end. Valid until the next call.
  const cell_list& next(std::size_t most);

  /// Of the row that was read last.
  const std::vector<std::string>& last_key() const { return after_; }

private:
  std::string text(const std::string& condition, bool is_first) const;
  const std::string& type_of(const planned_column& column) const;
  std::string ordered(const planned_column& column) const;
  std::string selected(const planned_column& column) const;

  session& db_;
  const planned_table& table_;
  copy_side side_;
  std::vector<std::string> after_;
  std::string first_name_, first_text_, next_name_, next_text_;
  cell_list rows_;
};

} // namespace roost::store
