#include "store/database/bulk.hpp"

namespace roost::store {

namespace {

constexpr std::size_t rows_per_statement = 1000;

bool is_used(bulk_mode mode, column_role role) {
  switch (mode) {
  case bulk_mode::update_changed:
    return role != column_role::origin;
  case bulk_mode::erase:
    return role == column_role::key;
  default:
    return true;
  }
}

/// Joins `format(column)` for every column that satisfies `predicate`.
template <typename Predicate, typename Format>
std::string join(const std::vector<bulk_column>& columns, const char* separator, Predicate predicate,
                 Format format) {
  std::string text;
  for (const auto& column : columns) {
    if (!predicate(column)) continue;
    if (!text.empty()) text += separator;
    text += format(column);
  }
  return text;
}

/// Returns the comma-separated names of the used columns.
std::string names_of(const bulk_table& table, bulk_mode mode) {
  return join(
      table.columns, ", ", [&](const bulk_column& column) { return is_used(mode, column.role); },
      [](const bulk_column& column) { return std::string(column.name); });
}

/// Returns a `from` item with alias `r` that unnests an array parameter for each used column.
std::string rows_of_arrays(const bulk_table& table, bulk_mode mode) {
  const auto arrays = join(
      table.columns, ", ", [&](const bulk_column& column) { return is_used(mode, column.role); },
      [](const bulk_column& column) { return ':' + std::string(column.name) + "::" + column.type + "[]"; });
  return "unnest(" + arrays + ") as r(" + names_of(table, mode) + ')';
}

bool is_key(const bulk_column& column) { return column.role == column_role::key; }
/// Names the key, so that a row that conflicts with another unique constraint is rejected, not skipped.
std::string conflict_clause(const bulk_table& table, bulk_mode mode) {
  if (mode != bulk_mode::insert_new) return "";
  return " on conflict (" +
         join(table.columns, ", ", is_key,
              [](const bulk_column& column) { return std::string(column.name); }) +
         ") do nothing";
}

bool is_value(const bulk_column& column) { return column.role == column_role::value; }
bool is_written(const bulk_column& column) {
  return column.role == column_role::value || column.role == column_role::stamp;
}

} // namespace

std::int64_t insert(session& db, const cell_rows& rows, bulk_mode mode) {
  cell_writer writer(db, rows.table(), mode);
  writer.write(rows.cells());
  return writer.finish();
}

std::string insert_from_arrays(const bulk_table& table, bulk_mode mode, const std::string& filter) {
  return "insert into " + std::string(table.name) + " (" + names_of(table, mode) + ") select r.* from " +
         rows_of_arrays(table, mode) + filter + conflict_clause(table, mode);
}

cell_writer::cell_writer(session& db, const bulk_table& table, bulk_mode mode)
    : connection_(db.internals()), table_(table), mode_(mode),
      name_(std::string(domain::to_string(mode)) + '_' + table.name) {
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    const auto& column = table_.columns[i];
    used_[i] = is_used(mode_, column.role);
    if (used_[i]) columns_.emplace_back(column.name);
  }
  text_ = text();
}

/// On PostgreSQL, the values of all rows come from arrays; on SQLite, those of one row from parameters.
std::string cell_writer::text() const {
  const bool has_arrays = connection_.dialect() == dialect::postgresql;
  const std::string table = table_.name, value = has_arrays ? "r." : ":";
  const auto source = [&](const char* clause) {
    return has_arrays ? clause + rows_of_arrays(table_, mode_) : "";
  };
  const auto compare = [&](const char* comparison) {
    return [&, comparison](const bulk_column& column) {
      return std::string("t.") + column.name + comparison + value + column.name;
    };
  };
  const auto where = " where " + join(table_.columns, " and ", is_key, compare(" = "));
  switch (mode_) {
  case bulk_mode::erase:
    return "delete from " + table + " as t" + source(" using ") + where;
  case bulk_mode::update_changed:
    return "update " + table + " as t set " +
           join(table_.columns, ", ", is_written,
                [&](const bulk_column& column) {
                  return std::string(column.name) + " = " + value + column.name;
                }) +
           source(" from ") + where + " and (" +
           join(table_.columns, " or ", is_value, compare(" is distinct from ")) + ')';
  default:
    break;
  }
  if (has_arrays) return insert_from_arrays(table_, mode_);
  const auto used = [&](const bulk_column& column) { return is_used(mode_, column.role); };
  const auto values = join(table_.columns, ", ", used,
                           [](const bulk_column& column) { return ':' + std::string(column.name); });
  return "insert into " + table + " (" + names_of(table_, mode_) + ") values (" + values + ')' +
         conflict_clause(table_, mode_);
}

std::vector<append_binary> cell_writer::types() const {
  std::vector<append_binary> types;
  for (std::size_t i = 0; i < table_.columns.size(); ++i)
    if (used_[i]) types.push_back(binary_format_of(table_.columns[i].type));
  return types;
}

void cell_writer::end_row() {
  if (cells_.size() >= rows_per_statement * columns_.size()) flush();
}

void cell_writer::flush() {
  write(cells_);
  cells_.clear();
}

void cell_writer::write(const cell_list& cells) {
  if (cells.empty()) return;
  if (connection_.dialect() == dialect::sqlite) {
    affected_ += connection_.write_rows(name_, text_, columns_, cells);
  } else if (mode_ == bulk_mode::insert && cells.size() > columns_.size()) {
    const auto command = "copy " + std::string(table_.name) + " (" + names_of(table_, mode_) + ")";
    affected_ += connection_.write_copy(name_, command + " from stdin (format binary)", types(), cells);
  } else { // for a single row, a copy costs an extra parse and round trip
    affected_ += connection_.write_arrays(name_, text_, columns_, cells);
  }
}

std::int64_t cell_writer::finish() {
  flush();
  return std::exchange(affected_, 0);
}

} // namespace roost::store
