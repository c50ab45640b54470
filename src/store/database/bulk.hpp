#pragma once

#include "store/database/connection.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace roost::store {

/// How a column takes part in a bulk write.
enum class column_role {
  key,    ///< finds the row
  value,  ///< data
  stamp,  ///< updates: written only when some value differs
  origin, ///< inserts only
};

struct bulk_column {
  const char* name;
  const char* type; ///< PostgreSQL's
  column_role role = column_role::value;
};

/// A table, or those of its columns that one kind of write concerns.
struct bulk_table {
  const char* name;
  std::vector<bulk_column> columns;
};

/// Throws failure when a row is not as wide as its table.
void expect_width(const bulk_table& table, std::size_t width);

enum class bulk_mode {
  insert,
  insert_new,     ///< leaves rows alone that are there already, by any key
  update_changed, ///< writes only rows where a value differs
  erase,          ///< by the key columns
};

/// Whole rows of a table, made before the transaction that inserts them.
class bulk_rows {
public:
  explicit bulk_rows(const bulk_table& table) : table_(table) {}

  /// One value for each column of the table, in its order.
  template <typename... Values>
  void add(const Values&... values) {
    expect_width(table_, sizeof...(values));
    (cells_.add(values), ...);
  }

  const bulk_table& table() const { return table_; }
  const cell_list& cells() const { return cells_; }

private:
  const bulk_table& table_;
  cell_list cells_;
};

/// In one go; the number of rows. Belongs into a transaction. `mode` is one that inserts.
std::int64_t insert(session& db, const bulk_rows& rows, bulk_mode mode = bulk_mode::insert);

/// PostgreSQL's text for a mode that inserts, its parameters an array for each column; `of_these` restricts
/// the rows, which it calls `r`.
std::string insert_from_arrays(const bulk_table& table, bulk_mode mode, const std::string& of_these = "");

/// Writes many rows of one table: PostgreSQL takes plain inserts as a copy and all else as arrays, a thousand
/// rows at a time; SQLite takes rows one by one with a statement prepared once. Belongs into a transaction.
class bulk_writer {
public:
  bulk_writer(session& db, const bulk_table& table, bulk_mode mode);

  /// One value for each column of the table, in its order.
  template <typename... Values>
  void add(const Values&... values) {
    expect_width(table_, sizeof...(values));
    std::size_t column = 0;
    (add_cell(column++, values), ...);
    end_row();
  }

  /// Writes what waits; the number of rows that all of it wrote.
  std::int64_t finish();

private:
  template <typename Value>
  void add_cell(std::size_t column, const Value& value) {
    if (used_[column]) cells_.add(value);
  }

  friend std::int64_t insert(session& db, const bulk_rows& rows, bulk_mode mode);

  void end_row();
  void flush();
  void write(const cell_list& cells);
  std::vector<binary_type> types() const;
  std::string text_for_postgresql() const;
  std::string text_for_sqlite() const;

  session::connection& on_;
  const bulk_table& table_;
  bulk_mode mode_;
  std::string name_, text_;
  std::vector<bool> used_;           ///< by column: whether this mode writes it
  std::vector<std::string> columns_; ///< the names of those
  cell_list cells_;
  std::int64_t affected_ = 0;
};

} // namespace roost::store
