#include "store/copy/table_io.hpp"

#include "store/database/connection.hpp"
#include "store/database/error.hpp"

#include <thread>

namespace roost::store {

namespace {

constexpr std::chrono::milliseconds retry_interval{200};

/// Joins `format(column, index)` for all columns of the key.
template <typename Format>
std::string join_key(const planned_table& table, Format format) {
  std::string list;
  for (std::size_t i = 0; i < table.key.size(); ++i)
    list.append(i == 0 ? "" : ", ").append(format(table.columns[table.key[i]], i));
  return list;
}

/// Appends a value in the text format of PostgreSQL's COPY: one line per row, tabs between values.
void append_escaped(std::string& text, cell_view value) {
  if (!value) {
    text += "\\N";
    return;
  }
  if (value->find('\0') != std::string_view::npos)
    throw constraint_violated(violation::invalid_value, "text_without_nul");
  for (const char c : *value) {
    switch (c) {
    case '\\':
      text += "\\\\";
      break;
    case '\n':
      text += "\\n";
      break;
    case '\r':
      text += "\\r";
      break;
    case '\t':
      text += "\\t";
      break;
    default:
      text += c;
    }
  }
}

} // namespace

void retry_while_unavailable(std::chrono::milliseconds timeout, const std::function<void()>& on_retry,
                             const std::function<void()>& read) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  for (;;) {
    try {
      return read();
    } catch (const unavailable&) {
      if (std::chrono::steady_clock::now() >= deadline) throw;
    }
    on_retry();
    std::this_thread::sleep_for(retry_interval);
  }
}

void snapshot::read(const std::function<void()>& on_retry, const std::function<void()>& run) {
  retry_while_unavailable(timeout_, on_retry, [&] {
    try {
      if (!txn_) begin();
      run();
    } catch (const unavailable&) {
      txn_.reset();
      throw;
    }
  });
}

/// Disables PostgreSQL's limit of some seconds for idle transactions: this one is idle while the other store
/// is read.
void snapshot::begin() {
  txn_.emplace(db_, transaction::purpose::read);
  if (!db_.is_sqlite())
    db_.internals().script("copy_snapshot", "set local idle_in_transaction_session_timeout = 0");
}

table_reader::table_reader(session& db, const planned_table& table, copy_side side,
                           std::vector<std::string> after, std::string condition)
    : db_(db), table_(table), side_(side), after_(std::move(after)), condition_(std::move(condition)) {
  for (std::size_t i = 0; i < table.key.size(); ++i) after_names_.push_back("after_" + std::to_string(i));
}

const std::string& table_reader::type_of(const planned_column& column) const {
  return side_ == copy_side::source ? column.source_type : column.target_type;
}

/// PostgreSQL orders text by the locale unless a collation is specified.
std::string table_reader::order_expression(const planned_column& column) const {
  return db_.is_sqlite() || type_of(column) != "text" ? column.name : column.name + " collate \"C\"";
}

std::string table_reader::select_expression(const planned_column& column) const {
  if (!db_.is_sqlite()) return column.name;
  if (type_of(column) == "numeric")
    return "cost_giga || ' ' || cost_one || ' ' || cost_nano || ' ' || cost_atto";
  if (type_of(column) == "real") // by default SQLite prints numbers with 15 digits
    return "case when " + column.name + " is not null then printf('%!.17g', " + column.name + ") end";
  return column.name;
}

std::string table_reader::query_text() const {
  std::string text = "select ";
  for (std::size_t i = 0; i < table_.columns.size(); ++i)
    text.append(i == 0 ? "" : ", ").append(select_expression(table_.columns[i]));
  text += " from " + std::string(table_.entry->name) + " where " + (condition_.empty() ? "true" : condition_);
  const auto keys = join_key(
      table_, [this](const planned_column& column, std::size_t) { return order_expression(column); });
  if (!after_.empty())
    text += " and (" + keys + ") > (" +
            join_key(table_,
                     [this](const planned_column& column, std::size_t i) {
                       return "cast(:" + after_names_[i] + " as " + type_of(column) + ')';
                     }) +
            ')';
  return text + " order by " + keys + " limit cast(:limit as integer)";
}

const cell_list& table_reader::next(std::size_t limit) {
  rows_.clear();
  parameters values{{"limit", limit}};
  for (std::size_t i = 0; i < after_.size(); ++i) values.emplace_back(after_names_[i], after_[i]);
  const auto name = (after_.empty() ? "copy_first_" : "copy_next_") + std::string(table_.entry->name) +
                    (condition_.empty() ? "" : "_some");
  const auto text = query_text();
  const query page{name.c_str(), text.c_str(), nullptr, static_cast<int>(table_.columns.size())};
  db_.internals().read_rows(page, values, [this](const row& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) rows_.add(cells[i] ? cell_view(*cells[i]) : cell_view());
  });
  if (rows_.empty()) return rows_;
  const auto last = rows_.size() - table_.columns.size();
  after_.clear();
  for (const auto column : table_.key) after_.emplace_back(rows_[last + column].value());
  return rows_;
}

/// Uses COPY for PostgreSQL, which also writes identity columns; an insert would need an extra clause.
table_writer::table_writer(session& target, const planned_table& table, dialect source)
    : target_(target), table_(table), source_(source), name_("copy_" + std::string(table.entry->name)) {
  std::string columns, values;
  for (const auto& column : table.columns) {
    columns.append(columns.empty() ? "" : ", ").append(column.name);
    values.append(values.empty() ? ":" : ", :").append(column.name);
    names_.push_back(column.name);
  }
  const auto destination = std::string(table.entry->name) + " (" + columns + ')';
  text_ = target.is_sqlite() ? "insert into " + destination + " values (" + values + ')'
                             : "copy " + destination + " from stdin (format text)";
}

void table_writer::write(const cell_list& rows) {
  target_.is_sqlite() ? write_inserts(rows) : write_copy(rows);
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
    append_escaped(text, converted(table_.columns[i % width], rows[i]));
    text += i % width + 1 == width ? '\n' : '\t';
  }
  target_.internals().write_copy(name_, text_, text);
}

void table_writer::write_inserts(const cell_list& rows) {
  cell_list cells;
  const auto width = table_.columns.size();
  for (std::size_t i = 0; i < rows.size(); ++i) cells.add(converted(table_.columns[i % width], rows[i]));
  target_.internals().write_rows(name_, text_, names_, cells);
}

} // namespace roost::store
