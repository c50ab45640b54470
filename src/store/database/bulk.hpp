#pragma once

#include "store/database/columns.hpp"
#include "store/database/connection.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

struct bulk_column {
  const char* name;
  const char* type; ///< in PostgreSQL
  column_role role;
};

/// A table, or the columns of it that one kind of write uses.
struct bulk_table {
  const char* name;
  std::vector<bulk_column> columns;
};

inline constexpr std::size_t max_columns = 64;
using column_set = std::bitset<max_columns>; ///< indexed as in bulk_table::columns

/// A table with the description of its rows, created by table_of().
template <typename Record>
struct record_table : bulk_table {
  /// Appends the selected cells of the record; reads no other members.
  void (*append)(cell_list& to, const Record& from, const column_set& selected);
};

/// Returns the table whose rows `Columns` describes: `table_of<link_columns>("links")`.
template <const auto& Columns>
auto table_of(const char* name) {
  using record = typename std::remove_cvref_t<decltype(Columns)>::value;
  static_assert(Columns.size <= max_columns);
  record_table<record> table{{name, {}}, nullptr};
  table.append = [](cell_list& to, const record& from, const column_set& selected) {
    std::size_t i = 0;
    const auto append = [&](const auto& column) {
      if (selected[i++]) column.write(to, from);
    };
    Columns.columns.pass_to([&](const auto&... each) { (append(each), ...); });
  };
  Columns.columns.pass_to([&](const auto&... each) {
    (table.columns.push_back({each.name, each.type, each.role}), ...);
  });
  return table;
}

enum class bulk_mode {
  insert,
  insert_new,     ///< skips rows whose key columns are those of an existing one
  update_changed, ///< writes only rows whose values differ
  erase,          ///< by the key columns
};

/// The prefixes of the statements' names.
inline constexpr std::array<std::string_view, 4> bulk_mode_names{"insert", "insert_new", "update", "erase"};
constexpr const auto& names_of(bulk_mode) { return bulk_mode_names; }

/// Complete rows of a table as cells.
class cell_rows {
public:
  const bulk_table& table() const { return table_; }
  const cell_list& cells() const { return cells_; }

protected:
  explicit cell_rows(const bulk_table& table) : table_(table) {}

  const bulk_table& table_;
  cell_list cells_;
};

/// Complete rows of a table, prepared before the transaction that inserts them.
template <typename Record>
class bulk_rows : public cell_rows {
public:
  explicit bulk_rows(const record_table<Record>& table) : cell_rows(table), append_(table.append) {}

  void add(const Record& row) { append_(cells_, row, column_set{}.set()); }

private:
  decltype(record_table<Record>::append) append_;
};

/// Inserts the rows in insert mode `mode` and returns the number inserted. Must run in a transaction.
std::int64_t insert(session& db, const cell_rows& rows, bulk_mode mode = bulk_mode::insert);

/// Inserts one row. Must run in a transaction.
template <typename Record>
void insert_row(session& db, const record_table<Record>& table, const Record& row) {
  bulk_rows<Record> rows(table);
  rows.add(row);
  insert(db, rows);
}

/// Returns PostgreSQL's text for an insert mode, with an array parameter for each column; `filter` restricts
/// the rows, whose alias is `r`.
std::string insert_from_arrays(const bulk_table& table, bulk_mode mode, const std::string& filter = "");

/// Writes cells into one table. On PostgreSQL, it writes plain inserts of several rows as a copy and
/// everything else as arrays, a thousand rows at a time; on SQLite, row by row with one prepared statement.
class cell_writer {
public:
  cell_writer(session& db, const bulk_table& table, bulk_mode mode);

  /// Writes cells of the columns that the mode uses.
  void write(const cell_list& cells);

  /// Writes the remaining rows; returns the total number of rows written.
  std::int64_t finish();

protected:
  /// Must be called after each row.
  void end_row();

  column_set used_; ///< the columns that the mode uses
  cell_list cells_;

private:
  void flush();
  std::vector<append_binary> types() const;
  std::string text() const;

  session::connection& connection_;
  const bulk_table& table_;
  bulk_mode mode_;
  std::string name_, text_;
  std::vector<std::string> columns_; ///< the names of the used columns
  std::int64_t affected_ = 0;
};

/// Writes many rows of one table. Must run in a transaction.
template <typename Record>
class bulk_writer : public cell_writer {
public:
  bulk_writer(session& db, const record_table<Record>& table, bulk_mode mode)
      : cell_writer(db, table, mode), append_(table.append) {}

  /// Reads only the members whose columns the mode uses.
  void add(const Record& row) {
    append_(cells_, row, used_);
    end_row();
  }

private:
  decltype(record_table<Record>::append) append_;
};

/// Writes one row if its values differ from the stored ones. Must run in a transaction.
template <typename Record>
void update_row(session& db, const record_table<Record>& table, const Record& row) {
  bulk_writer<Record> rows(db, table, bulk_mode::update_changed);
  rows.add(row);
  rows.finish();
}

} // namespace roost::store
