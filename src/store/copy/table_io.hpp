#pragma once

#include "store/copy/copy_plan.hpp"
#include "store/database/cell.hpp"
#include "store/database/session.hpp"
#include "store/database/transaction.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roost::store {

/// Runs `read`, which must not write, and repeats it while it throws unavailable, until `timeout` has passed:
/// a disk stalls, a table is locked, a connection is lost. Calls `on_retry` before each retry; an exception
/// from it ends the wait.
void retry_while_unavailable(std::chrono::milliseconds timeout, const std::function<void()>& on_retry,
                             const std::function<void()>& read);

/// A consistent snapshot for reading a whole store, however long that takes. If the store stalls or the
/// connection is lost, a newer snapshot replaces it; change_counters show whether the two are the same.
class snapshot {
public:
  /// `timeout` applies to each read.
  snapshot(session& db, std::chrono::milliseconds timeout) : db_(db), timeout_(timeout) {}

  session& db() const { return db_; }

  /// Runs `run` in the snapshot, as retry_while_unavailable() does.
  void read(const std::function<void()>& on_retry, const std::function<void()>& run);

private:
  void begin();

  session& db_;
  std::chrono::milliseconds timeout_;
  std::optional<transaction> txn_;
};

enum class copy_side : std::uint8_t { source, target };

/// Reads a table page by page in the order of its key. Text is ordered by its bytes in both databases.
class table_reader {
public:
  /// Starts after the row with the key `after`, or at the first row if it is empty. Reads only rows that
  /// satisfy `condition`, unless that is empty.
  table_reader(session& db, const planned_table& table, copy_side side, std::vector<std::string> after = {},
               std::string condition = {});

  /// Returns the next `limit` rows, or fewer at the end of the table. Valid until the next call.
  const cell_list& next(std::size_t limit);

  /// The key of the row that was read last.
  const std::vector<std::string>& last_key() const { return after_; }

private:
  /// Returns the text of the query for the rows after `after_`.
  std::string query_text() const;
  const std::string& type_of(const planned_column& column) const;
  std::string order_expression(const planned_column& column) const;
  std::string select_expression(const planned_column& column) const;

  session& db_;
  const planned_table& table_;
  copy_side side_;
  std::vector<std::string> after_, after_names_; ///< the key of the last row, and the names of its parameters
  std::string condition_;
  cell_list rows_;
};

/// Writes the source's rows into the target's table. Requires a transaction.
class table_writer {
public:
  table_writer(session& target, const planned_table& table, dialect source);

  /// Writes rows as returned by table_reader.
  void write(const cell_list& rows);

private:
  cell_view converted(const planned_column& column, cell_view value);
  void write_copy(const cell_list& rows);
  void write_inserts(const cell_list& rows);

  session& target_;
  const planned_table& table_;
  dialect source_;
  std::vector<std::string> names_;
  std::string name_, text_, converted_;
};

} // namespace roost::store
