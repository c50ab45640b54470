#include "store/copy/table_writer.hpp"

#include "store/database/connection.hpp"

namespace roost::store {

namespace {

/// PostgreSQL's text format of a copy: a line for each row, a tab between two values.
void append_copied(std::string& to, cell_view value) {
  if (!value) {
    to += "\\N";
    return;
  }
  if (value->find('\0') != std::string_view::npos)
    throw constraint_violated(violation::other, "text_without_nul");
  for (const char c : *value) {
    switch (c) {
    case '\\':
      to += "\\\\";
      break;
    case '\n':
      to += "\\n";
      break;
    case '\r':
      to += "\\r";
      break;
    case '\t':
      to += "\\t";
      break;
    default:
      to += c;
    }
  }
}

} // namespace

/// A copy into PostgreSQL writes identity columns, too, which an insert would have to ask for.
table_writer::table_writer(session& target, const planned_table& table, dialect source)
    : target_(target), table_(table), source_(source), name_("copy_" + std::string(table.entry->name)) {
  std::string columns, values;
  for (const auto& column : table.columns) {
    columns.append(columns.empty() ? "" : ", ").append(column.name);
    values.append(values.empty() ? ":" : ", :").append(column.name);
    names_.push_back(column.name);
  }
  const auto into = std::string(table.entry->name) + " (" + columns + ')';
  text_ = target.is_sqlite() ? "insert into " + into + " values (" + values + ')'
                             : "copy " + into + " from stdin (format text)";
}

void table_writer::write(const cell_list& rows) {
  target_.is_sqlite() ? write_one_by_one(rows) : write_copy(rows);
}

cell_view table_writer::converted(const planned_column& column, cell_view value) {
  if (!value) return value;
  converted_ = text_for_target(column.form, source_, target_.internals().dialect(), *value);
  return converted_;
}

void table_writer::write_copy(const cell_list& rows) {
  std::string text;
  const auto width = table_.columns.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    append_copied(text, converted(table_.columns[i % width], rows[i]));
    text += i % width + 1 == width ? '\n' : '\t';
  }
  target_.internals().write_copy(name_, text_, text);
}

void table_writer::write_one_by_one(const cell_list& rows) {
  cell_list cells;
  const auto width = table_.columns.size();
  for (std::size_t i = 0; i < rows.size(); ++i) cells.add(converted(table_.columns[i % width], rows[i]));
  target_.internals().write_rows(name_, text_, names_, cells);
}

} // namespace roost::store
