#pragma once

#include "store/copy/copy_plan.hpp"
#include "store/database/cell.hpp"
#include "store/database/session.hpp"

#include <string>
#include <vector>

namespace roost::store {

/// Writes rows of the source into the target's table. Must run in a transaction.
class table_writer {
public:
  table_writer(session& target, const planned_table& table, dialect source);

  /// The rows as table_reader gives them.
  void write(const cell_list& rows);

private:
  cell_view converted(const planned_column& column, cell_view value);
  void write_copy(const cell_list& rows);
  void write_one_by_one(const cell_list& rows);

  session& target_;
  const planned_table& table_;
  dialect source_;
  std::vector<std::string> names_;
  std::string name_, text_, converted_;
};

} // namespace roost::store
